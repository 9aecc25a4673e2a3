import type pg from "pg";
import { literal, statement } from "../../offchain/connection.ts";
import { readHead } from "../../runtime/ponder/final-rows.ts";
import { inFinalSnapshot } from "../export/final-snapshot.ts";
import { readSource } from "../export/history.ts";
import { settledTime } from "../export/part.ts";
import type { Source } from "../manifest.ts";
import { followedTables } from "../tables/tables.ts";
import { followChanges, hasKey } from "./changes.ts";
import { readSnapshot, writeSnapshot } from "./snapshots.ts";
import { liveEvents, liveLog, liveName, liveVersion, selectColumns, selectRows } from "./tables.ts";
import {
  copyInParts,
  insertInto,
  type LogRow,
  preferIndexes,
  readLast,
  type Sink,
  tableOf,
} from "./write.ts";

/*
 * Rows of blocks that a reorg may still take back. A pass writes all of them again, as one snapshot of Postgres has them, under a
 * version of its own, and then names the version in the log. Of tables whose rows change it writes those that have changed since the
 * last final copy. The views take the final rows up to where the last version begins, or those that it lacks, and that version's rows.
 * So they go from one snapshot to the next at once, in all tables, and whatever a pass leaves behind when it fails is
 * never seen. Rows of older versions are dropped by the next pass but one, since a query may have begun with the last one.
 */

/** Both resolve to the number of rows that were written, and write nothing if nothing may have changed. */
export type LiveWriter = {
  /** Writes the rows after the final ones. */
  write: () => Promise<number>;
  /** The same while a copy is written: of chains whose changes since the last copy are known. */
  meanwhile: () => Promise<number>;
};

/** Creates what writes the live rows of a sink. */
export function createLiveWriter(sink: Sink): LiveWriter {
  const written = new Map<number, string>();
  const writeVersions = async (onUnknown: (chainId: number, source: Source) => Promise<number>) => {
    const { chains, source } = await inFinalSnapshot(sink.pool, sink.schema, async (snapshot) => ({
      chains: snapshot.state.chains,
      source: await readSource(snapshot, sink.schema),
    }));
    let rows = 0;
    for (const { chainId } of chains) {
      const place = await readPlace(sink, chainId);
      if (place === undefined) continue;
      rows += (await writeVersion(sink, place, written)) ?? (await onUnknown(chainId, source));
    }
    return rows;
  };
  const meanwhile = () => writeVersions(async () => 0);
  return {
    meanwhile,
    write: () =>
      writeVersions(async (chainId, source) => {
        const rows = await writeSnapshot(sink, { chainId, source, meanwhile, isNeeded: true });
        const place = await readPlace(sink, chainId);
        return rows + ((place && (await writeVersion(sink, place, written))) ?? 0);
      }),
  };
}

/** Reads where live rows of a chain begin; undefined while nothing is final. */
async function readPlace(sink: Sink, chainId: number): Promise<Place | undefined> {
  const last = await readLast(sink, chainId);
  const snapshot = await readSnapshot(sink, chainId);
  if (last === undefined || snapshot === undefined) return undefined;
  return { chainId, since: last.state === "claimed" ? last.since : last.until, snapshot };
}

/** A chain, the end of the final events in seconds since 1970, and the last final copy of what changes. */
type Place = { chainId: number; since: number; snapshot: LogRow };

/** Writes a version of a chain's live rows. Resolves to their number, or to undefined if a new snapshot has to be written before. */
async function writeVersion(
  sink: Sink,
  { chainId, since, snapshot }: Place,
  written: Map<number, string>,
): Promise<number | undefined> {
  const { clickHouse, pool, schema, signal } = sink;
  return await inFinalSnapshot(pool, schema, async ({ client, state }) => {
    const chain = state.chains.find((candidate) => candidate.chainId === chainId);
    // Another sink may read a database that is ahead of this one.
    if (chain === undefined || (await settledTime(client, schema, chain)) < since) return 0;
    const head = await readHead(client, schema, chainId);
    if (head.isReverted || head.block < snapshot.block) return 0;
    const { keys } = await followChanges(client, sink, { chain, snapshotBlock: snapshot.block });
    if (keys === undefined) return undefined;
    const current = `${since} ${snapshot.block} ${head.written}`;
    if (written.get(chainId) === current) return 0;
    const previous = await readVersion(sink, chainId);
    // In the order of time, also if the clock is set back, and another one than that of a sink that starts a version now.
    const version = Math.max(1_000 * Date.now() + Math.floor(1_000 * Math.random()), previous + 1);
    await preferIndexes(client);
    const constants = { [liveVersion]: version };
    const selects = [
      ...liveEvents.map((table) => {
        const target = tableOf(sink, liveName(table.folder));
        const range = { chainId, start: since - (since % table.step), end: head.timestamp + 1 };
        return { target, select: selectRows(target, table, schema, range, constants) };
      }),
      ...followedTables.map((table) => {
        const target = tableOf(sink, liveName(table.folder));
        const from = statement`from ${schema}.${table.table} r where chain_id = ${literal(String(chainId))}`;
        return {
          target,
          select: `select ${selectColumns(target, constants)} ${from} and ${hasKey(table, keys)}`,
        };
      }),
    ];
    let rows = 0;
    for (const { target, select } of selects) {
      for await (const { lines, body } of copyInParts(client, select, sink.rowsPerInsert)) {
        signal.throwIfAborted();
        await insertInto(sink, target, body);
        rows += lines;
      }
    }
    const sinceBlock = (await readFirstBlock(client, schema, { chainId, since })) ?? head.block + 1;
    const entry = [chainId, version, since, sinceBlock, head.block, head.timestamp];
    await clickHouse.insert(liveLog.name, [...liveLog.columns], Buffer.from(`${entry.join("\t")}\n`));
    written.set(chainId, current);
    await dropVersions(sink, chainId, previous);
    return rows;
  });
}

/** Reads the first block at or after `since` that has a trade; undefined if there is none. */
async function readFirstBlock(
  client: pg.ClientBase,
  schema: string,
  place: Pick<Place, "chainId" | "since">,
): Promise<number | undefined> {
  const [chain, from] = [literal(String(place.chainId)), literal(String(place.since))];
  const { rows } = await client.query<{ block: string }>(
    statement`select block from ${schema}.trade where chain_id = ${chain} and timestamp >= ${from} order by timestamp, id limit 1`,
  );
  return rows[0] && Number(rows[0].block);
}

/** Reads the version that the views show; 0 if there is none. */
async function readVersion({ clickHouse }: Sink, chainId: number): Promise<number> {
  const [last] = await clickHouse.rows<{ version: number }>(
    `select max(version) as version from ${liveLog.name} where chain_id = {chain:Int32}`,
    { chain: chainId },
  );
  return last?.version ?? 0;
}

/** Drops the rows of all versions before one, also of those that were never finished. */
async function dropVersions({ clickHouse, tables }: Sink, chainId: number, before: number): Promise<void> {
  const versioned = [
    ...tables.flatMap(({ name, isLive: live }) => (live ? [{ name, column: liveVersion }] : [])),
    { name: liveLog.name, column: "version" },
  ];
  for (const { name, column } of versioned) {
    const old = await clickHouse.rows<{ version: number }>(
      `select distinct ${column} as version from ${name} where chain_id = {chain:Int32} and ${column} < {before:Int64}`,
      { chain: chainId, before },
    );
    for (const { version } of old) await clickHouse.run(`alter table ${name} drop partition ${version}`);
  }
}
