import type pg from "pg";
import type { Engine } from "../engine.ts";
import { type Manifest, openManifest } from "../manifest.ts";
import type { Store } from "../store/store.ts";
import type { Column } from "../tables/columns.ts";
import { columnsByFolder } from "../tables/tables.ts";
import { exportEvents } from "./events.ts";
import { inFinalSnapshot, readSource } from "./final-snapshot.ts";
import { exportSnapshots } from "./snapshots.ts";

/** What an export works with. */
export type Export = {
  pool: pg.Pool;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  engine: Engine;
  store: Store;
  manifest: Manifest;
  /** Folders of the tables to export. */
  tables: ReadonlySet<string>;
  /** Of each folder, read once. */
  columns: ReadonlyMap<string, Column[]>;
  signal: AbortSignal;
  progress: (text: string) => void;
};

export type ExportOptions = Omit<Export, "manifest" | "columns">;

export type ExportCounts = { files: number; rows: number; bytes: number };

/**
 * Exports whatever is final and not there yet. What was exported stays as it is: files are only added. Throws a
 * StartError that says what to do; what was finished by then is kept.
 */
export async function exportFinal(options: ExportOptions): Promise<ExportCounts> {
  const { source, columns } = await inFinalSnapshot(options.pool, options.schema, async (snapshot) => ({
    source: await readSource(snapshot, options.schema),
    columns: await columnsByFolder(snapshot.client, options.schema),
  }));
  const manifest = await openManifest(options.store, source, options.engine.workFolder);
  const before = manifest.files.length;
  const run = { ...options, manifest, columns };
  await exportEvents(run);
  await exportSnapshots(run);
  const added = manifest.files.slice(before);
  return {
    files: added.filter(({ path }) => path !== null).length,
    rows: added.reduce((sum, { rows }) => sum + rows, 0),
    bytes: added.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
