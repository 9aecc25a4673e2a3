import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { literal, statement } from "../../offchain/connection.ts";
import type { FinalChain } from "../../runtime/ponder/final-rows.ts";
import { type Engine, writeParquet } from "../engine.ts";
import { daySeconds, type ManifestEntry } from "../manifest.ts";
import { checksum, type Store } from "../store.ts";
import { type Column, readCsv, selectForParquet } from "../tables/columns.ts";
import { type DayOfChain, idsOfDays, type NumberedKind } from "../tables/tables.ts";
import type { Export } from "./export.ts";
import type { FinalSnapshot } from "./final-snapshot.ts";

/** The rows of one file, as CSV from Postgres. */
export type CopiedPart = Pick<ManifestEntry, "table" | "chain" | "day" | "block" | "timestamp" | "until"> & {
  /** The number of earlier parts of its day. */
  index: number;
  csv: string;
  rows: number;
  columns: Column[];
  /** Columns to sort by in DuckDB. */
  order: string[];
  /** Number columns that are not in the CSV. */
  ids: NumberedColumn[];
};

/** A Parquet file that is finished but not in the store yet. The file is undefined if there are no rows. */
export type FinishedPart = { entry: ManifestEntry; file: string | undefined };

/** Returns the path of a part's CSV file. */
export const csvPath = (
  engine: Engine,
  { table, chain, day }: Pick<ManifestEntry, "table" | "chain" | "day">,
) => path.join(engine.workFolder, `${table}-${chain}-${day}.csv`);

/** Converts a part's CSV to Parquet and removes the CSV. Throws if the number of rows differs. */
export async function convertPart(engine: Engine, part: CopiedPart): Promise<FinishedPart> {
  const { table, chain, day, block, timestamp, until, index, csv, rows } = part;
  const entry = { table, chain, day, block, timestamp, ...(until === undefined ? {} : { until }) };
  if (rows === 0) {
    await rm(csv, { force: true });
    return { entry: { ...entry, path: null, rows, bytes: 0, sha256: null }, file: undefined };
  }
  const file = csv.replace(/csv$/, "parquet");
  const metadata = {
    chain: `${chain}`,
    day,
    ...(block === null ? {} : { block: `${block}`, timestamp: `${timestamp}` }),
  };
  await engine.run(writeParquet(selectRows(part), file, metadata));
  await rm(csv);
  const written = await countRows(engine, file);
  if (written !== rows) throw new Error(`${table} of ${day} has ${rows} rows, and its file ${written}`);
  const name = `${table}/chain=${chain}/day=${day}/part-${index}.parquet`;
  return { entry: { path: name, ...entry, rows, ...(await checksum(file)) }, file };
}

/** Returns SQL for DuckDB that selects the rows as they go into the Parquet file. */
function selectRows({ csv, columns, order, ids }: CopiedPart): string {
  const numbers: Column[] = ids.map(({ name }) => ({ name, kind: "bigint" }));
  const joined = ids.map(({ name, of, table }) => {
    const address = `address of ${name}`;
    return statement`left join (select address as ${address}, number as ${name} from ${table}) on ${of} = ${address}`;
  });
  return [
    `select ${selectForParquet([...columns, ...numbers])} from ${readCsv(csv, columns)}`,
    ...joined,
    `order by ${order.map((column) => statement`${column}`).join(", ")}`,
  ].join(" ");
}

/** Moves finished files to the store. Returns their manifest entries. */
export async function putParts(store: Store, parts: FinishedPart[]): Promise<ManifestEntry[]> {
  for (const { entry, file } of parts) {
    if (file !== undefined && entry.path !== null) await store.put(file, entry.path);
  }
  return parts.map(({ entry }) => entry);
}

/** Reads the number of rows from a Parquet file's footer. */
export async function countRows(engine: Engine, file: string): Promise<number> {
  const [row] = await engine.rows<{ rows: bigint }>(
    statement`select num_rows as rows from parquet_file_metadata(${literal(file)})`,
  );
  return Number(row?.rows);
}

/** Streams a query's rows from Postgres to a CSV file. Resolves to their number. */
export async function copyOut(
  client: pg.ClientBase,
  { select, file, signal }: { select: string; file: string; signal: AbortSignal },
): Promise<number> {
  const rows = client.query(copyTo(`copy (${select}) to stdout (format csv)`, { highWaterMark: 1 << 20 }));
  await pipeline(rows, createWriteStream(file, { highWaterMark: 1 << 20 }), { signal });
  return rows.rowCount;
}

/** Returns the UTC date of a time in seconds since 1970. */
export const dateOf = (seconds: number) => new Date(1_000 * seconds).toISOString().slice(0, 10);

/** A final day or part of one. The sums over an account's first blocks are only complete up to `settled`. */
export type FinalDay = DayOfChain & { settled: number };

/** Lists a chain's days in order, from the first that has any rows to that of the last final block, which ends with that. */
export async function finalDays(
  client: pg.ClientBase,
  schema: string,
  finalChain: FinalChain,
): Promise<FinalDay[]> {
  const { chainId, timestamp } = finalChain;
  const chain = literal(String(chainId));
  // Ids are in chronological order.
  const firstOf = statement`select min(timestamp) as first from (
    (select timestamp from ${schema}.trade where chain_id = ${chain} order by id limit 1)
    union all (select timestamp from ${schema}.liquidity_change where chain_id = ${chain} order by id limit 1)
    union all (select timestamp from ${schema}.transfer where chain_id = ${chain} order by id limit 1)
    union all (select timestamp from ${schema}.bnb_usd_answer where chain_id = ${chain} order by id limit 1)) firsts`;
  const { rows } = await client.query<{ first: string | null }>(firstOf);
  const first = rows[0]?.first;
  if (first === undefined || first === null) return [];
  const settled = await settledTime(client, schema, finalChain);
  const days: FinalDay[] = [];
  // Blocks of the same second may follow.
  for (let start = startOfDay(Number(first)); start < timestamp; start += daySeconds) {
    const end = Math.min(start + daySeconds, timestamp);
    days.push({ chainId, start, end, settled: Math.min(end, settled) });
  }
  return days;
}

/**
 * Reads the time in seconds before which the rows of accounts' first buys are final. Such a row has all buys up to two blocks after the
 * curve's opening, so those of trades in the last two final blocks have to wait.
 */
export async function settledTime(
  client: pg.ClientBase,
  schema: string,
  { chainId, block, timestamp }: FinalChain,
): Promise<number> {
  const [chain, from] = [literal(String(chainId)), literal(String(block - 1).padStart(12, "0"))];
  const { rows } = await client.query<{ first: string }>(
    statement`select timestamp as first from ${schema}.trade where chain_id = ${chain} and id >= ${from} order by id limit 1`,
  );
  return Math.min(timestamp, Number(rows[0]?.first ?? timestamp));
}

const startOfDay = (seconds: number) => seconds - (seconds % daySeconds);

/** A column of numbers for the addresses in column `of`, and the DuckDB table that has them. */
type NumberedColumn = { name: string; of: string; table: string };

const columns = ["address", "number"].map((name) => ({ name, kind: "text" as const }));

/** The DuckDB table with the numbers of tokens or of traders. */
export const numbersTable = (kind: NumberedKind) => `${kind}_numbers`;

/** Loads the numbers of all tokens and traders of some days' trades into DuckDB tables, replacing those of the previous days. */
export async function readNumbers(
  { engine, schema, signal }: Export,
  { client }: FinalSnapshot,
  { kinds, days }: { kinds: Iterable<NumberedKind>; days: DayOfChain },
): Promise<void> {
  for (const kind of kinds) {
    const file = csvPath(engine, { table: numbersTable(kind), chain: days.chainId, day: dateOf(days.start) });
    await copyOut(client, { select: idsOfDays(kind, schema, days), file, signal });
    await engine.run(
      [
        statement`create or replace temp table ${numbersTable(kind)} as`,
        `select address, cast(number as bigint) as number from ${readCsv(file, columns)}`,
      ].join(" "),
    );
    await rm(file);
  }
}
