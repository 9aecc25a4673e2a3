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

/** The rows of one file, as CSV from Postgres. */
export type CopiedPart = Pick<ManifestEntry, "table" | "chain" | "day" | "block" | "timestamp"> & {
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
  const { table, chain, day, block, timestamp, csv, rows } = part;
  const entry = { table, chain, day, block, timestamp };
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
  const name = `${table}/chain=${chain}/day=${day}/part-0.parquet`;
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
