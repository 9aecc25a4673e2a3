import type { FinalChain } from "../../runtime/ponder/final-rows.ts";
import { inFinalSnapshot, NotReadyError } from "../export/final-snapshot.ts";
import { readAnchors, readSource } from "../export/history.ts";
import { finalDays, settledTime } from "../export/part.ts";
import { assertSameIndex, daySeconds, type Source } from "../manifest.ts";
import { columnsByFolder, eventTables } from "../tables/tables.ts";
import type { LiveWriter } from "./live.ts";
import { writeFirstSnapshot, writeSnapshot } from "./snapshots.ts";
import { prepareTables, selectRange, sinkTables } from "./tables.ts";
import {
  addToLog,
  assertHistoryOf,
  copyInParts,
  insertInto,
  type LogRow,
  preferIndexes,
  readLast,
  type Sink,
  sourceOf,
  tableOf,
} from "./write.ts";

/*
 * How each row gets into ClickHouse exactly once. The rows of event tables are written by ranges of time, at most a day long, one after
 * the other. A range is first claimed in the log, then written, then marked as written there. Each of these inserts has a token made
 * of the chain, the range and its place in the range, and ClickHouse ignores an insert whose token it knows. So whatever is repeated
 * after a crash or an answer that was lost has no effect, and of two sinks that claim a range with different ends, both write that of
 * the first claim. The rows of an insert are the same each time, because they are final and sorted.
 *
 * Snapshots (snapshots.ts) are written into tables that keep a row's version of the latest block.
 */

/** `live`: whether there are tables and views for rows that aren't final too. */
export type SinkOptions = Omit<Sink, "tables" | "followed"> & { live: boolean };

/** Creates the tables that are missing, and reads their columns. Throws a StartError if they differ. */
export async function openSink({ live, ...options }: SinkOptions): Promise<Sink> {
  const { pool, schema, clickHouse } = options;
  const columns = await inFinalSnapshot(pool, schema, ({ client }) => columnsByFolder(client, schema));
  const tables = sinkTables(columns, schema, { live });
  await prepareTables(clickHouse, tables);
  return { ...options, tables, followed: new Map() };
}

/**
 * Writes everything that is final and not written yet. May be repeated after any error. Resolves to the rows that were sent.
 *
 * @param live writes the live rows: before the snapshots, whose new rows the views hide until the next live ones, and meanwhile
 */
export async function writeFinal(sink: Sink, live: LiveWriter = noLiveRows): Promise<number> {
  const { source, chains } = await inFinalSnapshot(sink.pool, sink.schema, async (snapshot) => ({
    source: {
      ...(await readSource(snapshot, sink.schema)),
      anchors: await readAnchors(snapshot, sink.schema),
    },
    chains: await Promise.all(
      snapshot.state.chains.map(async (chain) => ({
        chain,
        first: (await finalDays(snapshot.client, sink.schema, chain))[0]?.start,
        settled: await settledTime(snapshot.client, sink.schema, chain),
      })),
    ),
  }));
  const { meanwhile } = live;
  let rows = 0;
  for (const { chain, first, settled } of chains) {
    if (first === undefined) continue;
    for (;;) {
      sink.signal.throwIfAborted();
      const range = await claimNext(sink, { chain, first, settled, source });
      if (range === undefined) break;
      rows += await writeRange(sink, range);
      const behind = Math.max(0, Math.round(Date.now() / 1_000) - range.until);
      sink.progress(`chain ${chain.chainId} until ${timeOf(range.until)}, ${rows} rows, ${behind} s behind`);
    }
    rows += await writeFirstSnapshot(sink, { chainId: chain.chainId, source, meanwhile });
  }
  rows += await live.write();
  for (const { chain, first } of chains) {
    if (first !== undefined) rows += await writeSnapshot(sink, { chainId: chain.chainId, source, meanwhile });
  }
  return rows;
}

const noLiveRows: LiveWriter = { write: async () => 0, meanwhile: async () => 0 };

const timeOf = (seconds: number) => new Date(1_000 * seconds).toISOString().replace(".000", "");

/** `settled` is the time before which all rows are final. */
type Claim = { chain: FinalChain; first: number; settled: number; source: Source };

/** Returns the range that was begun and isn't complete, else claims the next one. Returns undefined if none is final. */
async function claimNext(sink: Sink, { chain, first, settled, source }: Claim): Promise<LogRow | undefined> {
  const last = await readLast(sink, chain.chainId);
  if (last?.state === "claimed") return checked(sink, last, source);
  if (last !== undefined) {
    checked(sink, last, source);
    await inFinalSnapshot(sink.pool, sink.schema, (snapshot) => assertHistoryOf(sink, last, snapshot));
  }
  const since = last?.until ?? first;
  const midnight = since - (since % daySeconds) + daySeconds;
  const until = Math.min(midnight, settled);
  if (until <= since || (until < midnight && until - since < sink.rangeSeconds)) return undefined;
  const range = last === undefined ? 0 : last.range + 1;
  await addToLog(sink, {
    chain_id: chain.chainId,
    state: "claimed",
    range,
    since,
    until,
    block: 0,
    rows_per_insert: sink.rowsPerInsert,
    source: JSON.stringify(source),
  });
  // Of another sink's claim if that was first.
  const claimed = await readLast(sink, chain.chainId);
  if (claimed === undefined || claimed.range < range) {
    throw new Error(`${sink.clickHouse.name} has lost the claim of range ${range} of chain ${chain.chainId}`);
  }
  // The other one has even finished.
  if (claimed.state === "written") return await claimNext(sink, { chain, first, settled, source });
  return checked(sink, claimed, source);
}

/** Returns a row of the log. Throws a StartError if it is of another index. */
function checked({ clickHouse }: Sink, row: LogRow, wanted: Source): LogRow {
  assertSameIndex(clickHouse.name, sourceOf(row), wanted);
  return row;
}

/** Writes the rows of a range, and then that they are written. */
async function writeRange(sink: Sink, range: LogRow): Promise<number> {
  const { chain_id: chainId, since, until, rows_per_insert: rowsPerInsert } = range;
  const rows = await inFinalSnapshot(sink.pool, sink.schema, async (snapshot) => {
    const { client, state } = snapshot;
    const chain = state.chains.find((candidate) => candidate.chainId === chainId);
    // Another sink may read a database that is ahead of this one.
    if (chain === undefined || (await settledTime(client, sink.schema, chain)) < until) {
      throw new NotReadyError(`${timeOf(until)} of chain ${chainId} is claimed, and not final here yet`);
    }
    // Inserts of an earlier attempt may be there already.
    await assertHistoryOf(sink, range, snapshot);
    await preferIndexes(client);
    let sum = 0;
    for (const table of eventTables) {
      const target = tableOf(sink, table.folder);
      const select = selectRange(target, table, sink.schema, { chainId, since, until });
      if (select === undefined) continue;
      let index = 0;
      for await (const { lines, body } of copyInParts(client, select, rowsPerInsert)) {
        sink.signal.throwIfAborted();
        await insertInto(sink, target, body, `${chainId}-${range.range}-${index}`);
        index++;
        sum += lines;
      }
    }
    return sum;
  });
  await addToLog(sink, { ...range, state: "written" });
  return rows;
}
