import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type FinalChain, finalRows } from "../../runtime/ponder/final-rows.ts";
import { inFinalSnapshot, NotReadyError, readSource } from "../export/final-snapshot.ts";
import { finalDays, settledTime } from "../export/part.ts";
import { assertSameIndex, daySeconds, type Source, source as sourceSchema } from "../manifest.ts";
import {
  columnsByFolder,
  eventTables,
  registrations,
  registrationsOf,
  snapshotTables,
} from "../tables/tables.ts";
import type { ClickHouse } from "./clickhouse.ts";
import { logTable, prepareTables, type SinkTable, selectRange, sinkTables, versionColumn } from "./tables.ts";

/*
 * How each row gets into ClickHouse exactly once. The rows of event tables are written by ranges of time, at most a day long, one after
 * the other. A range is first claimed in the log, then written, then marked as written there. Each of these inserts has a token made
 * of the chain, the range and its place in the range, and ClickHouse ignores an insert whose token it knows. So whatever is repeated
 * after a crash or an answer that was lost has no effect, and of two sinks that claim a range with different ends, both write that of
 * the first claim. The rows of an insert are the same each time, because they are final and sorted.
 *
 * Snapshots are written into tables that keep a row's version of the latest block.
 */

export type Sink = {
  pool: pg.Pool;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  clickHouse: ClickHouse;
  tables: SinkTable[];
  signal: AbortSignal;
  /** Ranges shorter than these seconds have to wait, and snapshots until the last one is as old. */
  rangeSeconds: number;
  snapshotSeconds: number;
  /** An insert is stored as a whole: ClickHouse and this process have it in memory. */
  rowsPerInsert: number;
  progress: (text: string) => void;
};

/** `live`: whether there are tables and views for rows that aren't final too. */
export type SinkOptions = Omit<Sink, "tables"> & { live: boolean };

/** Creates the tables that are missing, and reads their columns. Throws a StartError if they differ. */
export async function openSink({ live, ...options }: SinkOptions): Promise<Sink> {
  const { pool, schema, clickHouse } = options;
  const columns = await inFinalSnapshot(pool, schema, ({ client }) => columnsByFolder(client, schema));
  const tables = sinkTables(columns, schema, { live });
  await prepareTables(clickHouse, tables);
  return { ...options, tables };
}

/** Writes everything that is final and not written yet. May be repeated after any error. Resolves to the rows that were sent. */
export async function writeFinal(sink: Sink): Promise<number> {
  const { source, chains } = await inFinalSnapshot(sink.pool, sink.schema, async (snapshot) => ({
    source: await readSource(snapshot, sink.schema),
    chains: await Promise.all(
      snapshot.state.chains.map(async (chain) => ({
        chain,
        first: (await finalDays(snapshot.client, sink.schema, chain))[0]?.start,
        settled: await settledTime(snapshot.client, sink.schema, chain),
      })),
    ),
  }));
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
    rows += await writeSnapshots(sink, chain.chainId, source);
  }
  return rows;
}

const timeOf = (seconds: number) => new Date(1_000 * seconds).toISOString().replace(".000", "");

type LogRow = {
  chain_id: number;
  state: "claimed" | "written" | "snapshot";
  range: number;
  since: number;
  until: number;
  block: number;
  rows_per_insert: number;
  source: string;
};

/** `settled` is the time before which all rows are final. */
type Claim = { chain: FinalChain; first: number; settled: number; source: Source };

/** Returns the range that was begun and isn't complete, else claims the next one. Returns undefined if none is final. */
async function claimNext(sink: Sink, { chain, first, settled, source }: Claim): Promise<LogRow | undefined> {
  const last = await readLast(sink, chain.chainId);
  if (last?.state === "claimed") return checked(sink, last, source);
  if (last !== undefined) checked(sink, last, source);
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

/** Reads the last range of a chain, and whether it is complete. */
export async function readLast({ clickHouse }: Sink, chainId: number): Promise<LogRow | undefined> {
  const [row] = await clickHouse.rows<LogRow>(
    `select * from ${logTable} where chain_id = {chain:Int32} and state <> 'snapshot' order by range desc, state desc limit 1`,
    { chain: chainId },
  );
  return row;
}

/** Returns a row of the log. Throws a StartError if it is of another index. */
function checked({ clickHouse }: Sink, row: LogRow, wanted: Source): LogRow {
  assertSameIndex(clickHouse.name, sourceSchema.parse(JSON.parse(row.source)), wanted);
  return row;
}

const logColumns = [
  "chain_id",
  "state",
  "range",
  "since",
  "until",
  "block",
  "rows_per_insert",
  "source",
] as const;

async function addToLog({ clickHouse }: Sink, row: LogRow): Promise<void> {
  const line = logColumns.map((column) =>
    String(row[column]).replaceAll("\\", "\\\\").replaceAll("\t", "\\t"),
  );
  const token = `${row.chain_id}-${row.state}-${row.state === "snapshot" ? row.block : row.range}`;
  await clickHouse.insert(logTable, [...logColumns], Buffer.from(`${line.join("\t")}\n`), token);
}

/** Writes the rows of a range, and then that they are written. */
async function writeRange(sink: Sink, range: LogRow): Promise<number> {
  const { chain_id: chainId, since, until, rows_per_insert: rowsPerInsert } = range;
  const rows = await inFinalSnapshot(sink.pool, sink.schema, async ({ client, state }) => {
    const chain = state.chains.find((candidate) => candidate.chainId === chainId);
    // Another sink may read a database that is ahead of this one.
    if (chain === undefined || (await settledTime(client, sink.schema, chain)) < until) {
      throw new NotReadyError(`${timeOf(until)} of chain ${chainId} is claimed, and not final here yet`);
    }
    // As in the lake: the rows are best read by nested loops over indexes.
    await client.query("set local enable_hashjoin = off; set local enable_mergejoin = off");
    await client.query("set local enable_seqscan = off; set local jit = off");
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

export function tableOf({ tables }: Sink, name: string): SinkTable {
  const table = tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return table;
}

export const insertInto = (
  { clickHouse }: Sink,
  { name, columns }: SinkTable,
  body: Uint8Array<ArrayBuffer>,
  token?: string,
) =>
  clickHouse.insert(
    name,
    columns.map((column) => column.name),
    body,
    token,
  );

/** Writes all rows of the tables whose rows change, as they are at the chain's final block, if the last ones are old enough. */
async function writeSnapshots(sink: Sink, chainId: number, source: Source): Promise<number> {
  const { clickHouse, pool, schema } = sink;
  const [last] = await clickHouse.rows<LogRow>(
    `select * from ${logTable} where chain_id = {chain:Int32} and state = 'snapshot' order by block desc limit 1`,
    { chain: chainId },
  );
  return await inFinalSnapshot(pool, schema, async ({ client, state }) => {
    const chain = state.chains.find((candidate) => candidate.chainId === chainId);
    if (chain === undefined) return 0;
    if (
      last !== undefined &&
      (chain.block <= last.block || chain.timestamp - last.until < sink.snapshotSeconds)
    )
      return 0;
    let rows = 0;
    for (const { name, select } of snapshotSelects(sink, chain)) {
      for await (const { lines, body } of copyInParts(client, select, sink.rowsPerInsert)) {
        sink.signal.throwIfAborted();
        await insertInto(sink, tableOf(sink, name), body);
        rows += lines;
      }
      sink.progress(`${name} of chain ${chainId} at block ${chain.block}`);
    }
    // Rows of the chain never go, but a person may have theirs removed.
    await clickHouse.run(
      `delete from ${registrations.folder} where chain_id = {chain:Int32} and ${versionColumn} < {block:Int64}`,
      { chain: chainId, block: chain.block },
    );
    await addToLog(sink, {
      chain_id: chainId,
      state: "snapshot",
      range: 0,
      since: 0,
      until: chain.timestamp,
      block: chain.block,
      rows_per_insert: sink.rowsPerInsert,
      source: JSON.stringify(source),
    });
    return rows;
  });
}

/** Returns a query for each table whose rows change. */
function snapshotSelects(sink: Sink, chain: FinalChain): { name: string; select: string }[] {
  const { schema } = sink;
  const columnsOf = (name: string) =>
    tableOf(sink, name)
      .columns.map((column) => (column.name === versionColumn ? `${chain.block}` : column.sql))
      .join(", ");
  return [
    ...snapshotTables.map(({ table, folder, key }) => ({
      name: folder,
      select: finalRows({ schema, table, key, chain, columns: columnsOf(folder) }),
    })),
    { name: registrations.folder, select: registrationsOf(schema, chain, columnsOf(registrations.folder)) },
  ];
}

type RowsPart = { lines: number; body: Uint8Array<ArrayBuffer> };

const newline = 0x0a;

/** Streams a query's rows in parts. Postgres's text format is what ClickHouse calls TabSeparated: a line is a row. */
export async function* copyInParts(
  client: pg.ClientBase,
  select: string,
  rowsPerPart: number,
): AsyncGenerator<RowsPart> {
  let pending: Buffer[] = [];
  let lines = 0;
  const take = (): RowsPart => {
    const part = { lines, body: Buffer.concat(pending) };
    pending = [];
    lines = 0;
    return part;
  };
  for await (const chunk of client.query(copyTo(`copy (${select}) to stdout`)) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, end + 1)) {
      if (++lines < rowsPerPart) continue;
      pending.push(chunk.subarray(start, end + 1));
      start = end + 1;
      yield take();
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (lines > 0) yield take();
}
