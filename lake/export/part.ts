import { rm } from "node:fs/promises";
import path from "node:path";
import { literal, statement } from "../../offchain/statement.ts";
import { type Engine, writeParquet } from "../engine.ts";
import type { ManifestEntry } from "../manifest.ts";
import { checksum } from "../store/checksum.ts";
import type { Store } from "../store/store.ts";
import type { Column } from "../tables/columns.ts";
import { readCsv, selectForParquet } from "../tables/parquet-columns.ts";
import type { NumberedColumn } from "./ids.ts";

/** The rows of one file, which Postgres has written as CSV. */
export type CopiedPart = Pick<ManifestEntry, "table" | "chain" | "day" | "block" | "timestamp"> & {
  csv: string;
  rows: number;
  columns: Column[];
  /** Columns by which DuckDB sorts it. */
  order: string[];
  /** Columns that the CSV does not have. */
  ids: NumberedColumn[];
};

/** A Parquet file that is finished but not in its place. */
export type FinishedPart = { entry: ManifestEntry; file: string | undefined };

/** Where a file's CSV goes. */
export const csvOf = (
  engine: Engine,
  { table, chain, day }: Pick<ManifestEntry, "table" | "chain" | "day">,
) => path.join(engine.workFolder, `${table}-${chain}-${day}.csv`);

/** Makes the Parquet file. Nothing is left of the CSV. Throws if a row is missing from it. */
export async function convertPart(engine: Engine, part: CopiedPart): Promise<FinishedPart> {
  const { table, chain, day, block, timestamp, csv, rows } = part;
  const entry = { table, chain, day, block, timestamp };
  if (rows === 0) {
    await rm(csv, { force: true });
    return { entry: { ...entry, path: null, rows, bytes: 0, sha256: null }, file: undefined };
  }
  const file = csv.replace(/csv$/, "parquet");
  const notes = {
    chain: `${chain}`,
    day,
    ...(block === null ? {} : { block: `${block}`, timestamp: `${timestamp}` }),
  };
  await engine.run(writeParquet(rowsOf(part), file, notes));
  await rm(csv);
  const written = await rowsIn(engine, file);
  if (written !== rows) throw new Error(`${table} of ${day} has ${rows} rows, and its file ${written}`);
  const name = `${table}/chain=${chain}/day=${day}/part-0.parquet`;
  return { entry: { path: name, ...entry, rows, ...(await checksum(file)) }, file };
}

/** SQL for DuckDB: the rows as the Parquet file has them. */
function rowsOf({ csv, columns, order, ids }: CopiedPart): string {
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

/** Moves finished files to their places. */
export async function putParts(store: Store, parts: FinishedPart[]): Promise<ManifestEntry[]> {
  for (const { entry, file } of parts) {
    if (file !== undefined && entry.path !== null) await store.put(file, entry.path);
  }
  return parts.map(({ entry }) => entry);
}

/** The rows of a Parquet file, by its own footer. */
export async function rowsIn(engine: Engine, file: string): Promise<number> {
  const [row] = await engine.rows<{ rows: bigint }>(
    statement`select num_rows as rows from parquet_file_metadata(${literal(file)})`,
  );
  return Number(row?.rows);
}
