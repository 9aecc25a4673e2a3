import type pg from "pg";
import type { Engine } from "../engine.ts";
import { type Manifest, openManifest } from "../manifest.ts";
import type { Store } from "../store/store.ts";
import type { Column } from "../tables/columns.ts";
import { columnsByFolder } from "../tables/tables.ts";
import { exportEvents } from "./events.ts";
import { inFinalSnapshot, readSource } from "./final-snapshot.ts";
import { exportSnapshots } from "./snapshots.ts";

/** The resources and settings of an export. */
export type Export = {
  pool: pg.Pool;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  engine: Engine;
  store: Store;
  manifest: Manifest;
  /** Folders of the tables to export. */
  tables: ReadonlySet<string>;
  /** The columns of each folder's table. */
  columns: ReadonlyMap<string, Column[]>;
  signal: AbortSignal;
  progress: (text: string) => void;
};

export type ExportOptions = Omit<Export, "manifest" | "columns">;

export type ExportCounts = { files: number; rows: number; bytes: number };

/**
 * Exports everything that is final and not exported yet. Files are only added; existing ones stay as they are. Throws a
 * StartError that says what to do; the files that are finished by then are kept.
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
