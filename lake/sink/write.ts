import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { FinalSnapshot } from "../export/final-snapshot.ts";
import { assertSameHistory } from "../export/history.ts";
import { type Source, source } from "../manifest.ts";
import type { Followed } from "./changes.ts";
import type { ClickHouse } from "./clickhouse.ts";
import { logTable, type SinkTable } from "./tables.ts";

export type Sink = {
  pool: pg.Pool;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  clickHouse: ClickHouse;
  tables: SinkTable[];
  signal: AbortSignal;
  /** Ranges shorter than these seconds have to wait, and full snapshots until the last one is as old. */
  rangeSeconds: number;
  snapshotSeconds: number;
  /** Milliseconds between looks at what has changed, while a copy is written: fewer than blocks take to become final. */
  followMs: number;
  /** An insert is stored as a whole: ClickHouse and this process have it in memory. */
  rowsPerInsert: number;
  progress: (text: string) => void;
  /** What has changed since the last snapshot, by chain. */
  followed: Map<number, Followed>;
};

export type LogRow = {
  chain_id: number;
  state: "claimed" | "written" | "snapshot";
  range: number;
  /** The start of a range. For a snapshot: 0 if it has all rows, else those that changed since then. */
  since: number;
  until: number;
  block: number;
  rows_per_insert: number;
  source: string;
};

/** Reads the last range of a chain, and whether it is complete. */
export async function readLast({ clickHouse }: Sink, chainId: number): Promise<LogRow | undefined> {
  const [row] = await clickHouse.rows<LogRow>(
    `select * from ${logTable} where chain_id = {chain:Int32} and state <> 'snapshot' order by range desc, state desc limit 1`,
    { chain: chainId },
  );
  return row;
}

/** Returns the index that the rows of a range or snapshot come from. */
export const sourceOf = (row: LogRow): Source => source.parse(JSON.parse(row.source));

/** Throws if a snapshot of Postgres doesn't have the history that the rows of a range or snapshot come from. */
export const assertHistoryOf = ({ clickHouse, schema }: Sink, row: LogRow, snapshot: FinalSnapshot) =>
  assertSameHistory(snapshot, schema, { name: clickHouse.name, anchors: sourceOf(row).anchors });

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

export async function addToLog({ clickHouse }: Sink, row: LogRow): Promise<void> {
  const line = logColumns.map((column) =>
    String(row[column]).replaceAll("\\", "\\\\").replaceAll("\t", "\\t"),
  );
  const place = row.state === "snapshot" ? `${row.block}-${row.since}` : row.range;
  const token = `${row.chain_id}-${row.state}-${place}`;
  await clickHouse.insert(logTable, [...logColumns], Buffer.from(`${line.join("\t")}\n`), token);
}

/** As in the lake: rows of some seconds are best read by nested loops over indexes. */
export async function preferIndexes(client: pg.ClientBase): Promise<void> {
  await client.query("set local enable_hashjoin = off; set local enable_mergejoin = off");
  await client.query("set local enable_seqscan = off; set local jit = off");
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
