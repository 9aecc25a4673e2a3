import { literal, statement } from "../offchain/connection.ts";
import type { Engine } from "./engine.ts";
import { countRows } from "./export/part.ts";
import { readManifest } from "./manifest.ts";
import type { Store } from "./store.ts";

export type Verified = { files: number; rows: number; problems: string[] };

/** Checks every file against the manifest: existence, checksum, and number of rows; and that all files of a table have the same columns. */
export async function verify(engine: Engine, store: Store): Promise<Verified> {
  const manifest = await readManifest(store);
  if (manifest === undefined) return { files: 0, rows: 0, problems: [`${store.name} has no manifest.json`] };
  const problems: string[] = [];
  const listed = new Set<string>();
  const columnsOf = new Map<string, string>();
  let rows = 0;
  for (const { path, table, sha256, bytes, ...entry } of manifest.files) {
    if (path === null) continue;
    listed.add(path);
    const found = await store.check(path);
    if (found === undefined) problems.push(`${path} is missing`);
    else if (found.sha256 !== sha256 || found.bytes !== bytes)
      problems.push(`${path} is not what was written`);
    else {
      const rowsInFile = await countRows(engine, store.locate(path));
      if (rowsInFile !== entry.rows) problems.push(`${path} has ${rowsInFile} rows, not ${entry.rows}`);
      const columns = await columnsIn(engine, store.locate(path));
      const expectedColumns = columnsOf.get(table);
      if (expectedColumns !== undefined && expectedColumns !== columns)
        problems.push(`${path} has other columns than files before it`);
      columnsOf.set(table, columns);
      rows += entry.rows;
    }
  }
  for (const path of await store.list()) {
    if (!listed.has(path)) problems.push(`${path} is not in the manifest: a run ended before it was done`);
  }
  return { files: listed.size, rows, problems };
}

async function columnsIn(engine: Engine, file: string): Promise<string> {
  const [row] = await engine.rows<{ columns: string }>(
    statement`select string_agg(concat_ws(' ', name, type, logical_type), ', ') as columns
      from parquet_schema(${literal(file)})`,
  );
  return row?.columns ?? "";
}
