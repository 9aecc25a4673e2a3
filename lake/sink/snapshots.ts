import type pg from "pg";
import { type FinalChain, finalRows } from "../../runtime/ponder/final-rows.ts";
import { inFinalSnapshot } from "../export/final-snapshot.ts";
import { readAnchors } from "../export/history.ts";
import type { Source } from "../manifest.ts";
import {
  followedTables,
  registrations,
  registrationsOf,
  type SnapshotTable,
  snapshotTables,
} from "../tables/tables.ts";
import { followChanges, hasKey, whileFollowing } from "./changes.ts";
import { logTable, selectColumns, versionColumn } from "./tables.ts";
import {
  addToLog,
  assertHistoryOf,
  copyInParts,
  insertInto,
  type LogRow,
  preferIndexes,
  type Sink,
  tableOf,
} from "./write.ts";

/*
 * Tables whose rows change are written as they are at a final block: all rows now and then, and between that those that have changed
 * since the last time. Each row has the block that it is as of, by which the table keeps the latest one. So whatever is repeated, or
 * written by another sink too, has no effect.
 */

type Snapshot = {
  chainId: number;
  /** The index that its rows come from. */
  source: Source;
  /** Runs again and again while rows are written that take long. */
  meanwhile: () => Promise<unknown>;
  /** Whether to write at once if there is a new final block. */
  isNeeded?: boolean;
};

/** Writes a chain's first copy. Resolves to the number of rows. */
export async function writeFirstSnapshot(sink: Sink, snapshot: Snapshot): Promise<number> {
  return (await readSnapshot(sink, snapshot.chainId)) === undefined ? await writeSnapshot(sink, snapshot) : 0;
}

/**
 * Writes rows as they are at the chain's final block: all, if the last such copy is old enough, else those that have changed. Resolves
 * to their number.
 */
export async function writeSnapshot(
  sink: Sink,
  { chainId, source, meanwhile, isNeeded = false }: Snapshot,
): Promise<number> {
  const last = await readSnapshot(sink, chainId);
  const full = await readSnapshot(sink, chainId, "and since = 0");
  return await inFinalSnapshot(sink.pool, sink.schema, async (snapshot) => {
    const { client, state } = snapshot;
    const chain = state.chains.find((candidate) => candidate.chainId === chainId);
    if (chain === undefined) return 0;
    const snapshotBlock = last?.block ?? 0;
    const { keys, now } = await followChanges(client, sink, { chain, snapshotBlock });
    if (chain.block <= snapshotBlock) return 0;
    const isFull =
      last === undefined || full === undefined || chain.timestamp - full.until >= sink.snapshotSeconds;
    if (!isFull && !isNeeded && chain.timestamp - last.until < sink.rangeSeconds) return 0;
    if (last !== undefined) await assertHistoryOf(sink, last, snapshot);
    const entry = {
      since: isFull ? 0 : last.until,
      source: { ...source, anchors: await readAnchors(snapshot, sink.schema) },
    };
    if (keys !== undefined && !isFull) {
      await preferIndexes(client);
      const rows = await writeTables(sink, client, { chain, only: (table) => hasKey(table, keys) });
      await addSnapshot(sink, chain, entry);
      sink.followed.set(chainId, now);
      return rows;
    }
    const copy = async () => {
      const only = (table: SnapshotTable) =>
        table.hasChanged?.(sink.schema, { chainId, seconds: entry.since });
      const rows = await writeTables(sink, client, isFull ? { chain } : { chain, only });
      // Rows of the chain never go, but a person may have theirs removed.
      if (isFull) {
        await sink.clickHouse.run(
          `delete from ${registrations.folder} where chain_id = {chain:Int32} and ${versionColumn} < {block:Int64}`,
          { chain: chainId, block: chain.block },
        );
      }
      await addSnapshot(sink, chain, entry);
      return rows;
    };
    return await whileFollowing(sink, copy, meanwhile);
  });
}

/** Reads the last snapshot of a chain that is complete. */
export async function readSnapshot(
  { clickHouse }: Sink,
  chainId: number,
  condition = "",
): Promise<LogRow | undefined> {
  const [last] = await clickHouse.rows<LogRow>(
    `select * from ${logTable} where chain_id = {chain:Int32} and state = 'snapshot' ${condition} order by block desc limit 1`,
    { chain: chainId },
  );
  return last;
}

/** `only` returns SQL for whether to write a row `r` of a table; without it, all rows are written, of all tables. */
type Rows = { chain: FinalChain; only?: (table: SnapshotTable) => string | undefined };

async function writeTables(sink: Sink, client: pg.ClientBase, rows: Rows): Promise<number> {
  const { chain, only } = rows;
  let sum = 0;
  for (const { name, select } of snapshotSelects(sink, rows)) {
    for await (const { lines, body } of copyInParts(client, select, sink.rowsPerInsert)) {
      sink.signal.throwIfAborted();
      await insertInto(sink, tableOf(sink, name), body);
      sum += lines;
    }
    if (only === undefined) sink.progress(`${name} of chain ${chain.chainId} at block ${chain.block}`);
  }
  return sum;
}

/** Returns a query for each table. */
function snapshotSelects(sink: Sink, { chain, only }: Rows): { name: string; select: string }[] {
  const { schema } = sink;
  const columnsOf = (name: string) => selectColumns(tableOf(sink, name), { [versionColumn]: chain.block });
  const selectOf = ({ table, folder, key }: SnapshotTable, condition?: string) => {
    const rows = { schema, table, key, chain, columns: columnsOf(folder) };
    return { name: folder, select: finalRows(condition === undefined ? rows : { ...rows, only: condition }) };
  };
  if (only !== undefined) return followedTables.map((table) => selectOf(table, only(table)));
  const { folder } = registrations;
  return [
    ...snapshotTables.map((table) => selectOf(table)),
    { name: folder, select: registrationsOf(schema, chain, columnsOf(folder)) },
  ];
}

async function addSnapshot(
  sink: Sink,
  { chainId, block, timestamp }: FinalChain,
  { since, source }: { since: number; source: Source },
): Promise<void> {
  await addToLog(sink, {
    chain_id: chainId,
    state: "snapshot",
    range: 0,
    since,
    until: timestamp,
    block,
    rows_per_insert: sink.rowsPerInsert,
    source: JSON.stringify(source),
  });
}
