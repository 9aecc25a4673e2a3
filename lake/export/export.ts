import type pg from "pg";
import { ignore } from "../../config/async.ts";
import { type FinalChain, finalRows } from "../../runtime/ponder/final-rows.ts";
import type { Engine } from "../engine.ts";
import { daySeconds, endOf, type Manifest, openManifest } from "../manifest.ts";
import type { Store } from "../store.ts";
import { type Column, selectForCsv } from "../tables/columns.ts";
import {
  columnsByFolder,
  type DayOfChain,
  type EventTable,
  eventTables,
  registrations,
  registrationsOf,
  snapshotTables,
} from "../tables/tables.ts";
import { type FinalSnapshot, inFinalSnapshot } from "./final-snapshot.ts";
import { assertSameHistory, readAnchors, readSource } from "./history.ts";
import {
  type CopiedPart,
  convertPart,
  copyOut,
  csvPath,
  dateOf,
  type FinalDay,
  type FinishedPart,
  finalDays,
  numbersTable,
  putParts,
  readNumbers,
} from "./part.ts";

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
  /** The last, incomplete day is exported up to a multiple of so many seconds. A day: not at all. */
  step: number;
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
  const filesBefore = manifest.files.length;
  const run = { ...options, manifest, columns };
  await exportEvents({ ...run, step: daySeconds });
  await exportSnapshots(run);
  // Last, so that the events reach beyond the snapshots.
  if (run.step < daySeconds) await exportEvents(run);
  const added = manifest.files.slice(filesBefore);
  return {
    files: added.filter(({ path }) => path !== null).length,
    rows: added.reduce((sum, { rows }) => sum + rows, 0),
    bytes: added.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Days whose addresses get their numbers together: most addresses recur within a month, and each is looked up once. */
const numberedDays = 30;

/** Exports each chain's final days that are still missing. Resolves to the number of rows. */
async function exportEvents(run: Export): Promise<number> {
  const days = await inSameHistory(run, async ({ client, state }) =>
    (await Promise.all(state.chains.map((chain) => finalDays(client, run.schema, chain)))).flat(),
  );
  const wanted = days.filter((day) =>
    eventTables.some((table) => missingPart(run, table, day) !== undefined),
  );
  let rows = 0;
  // While DuckDB writes the files of one day, Postgres reads the next.
  let writing: Promise<void> = Promise.resolve();
  try {
    let numbered: DayOfChain | undefined;
    for (const [index, day] of wanted.entries()) {
      run.signal.throwIfAborted();
      if (numbered?.chainId !== day.chainId || numbered.end < day.end) {
        // The files being written still need the previous numbers.
        await writing;
        numbered = await numberDays(run, wanted.slice(index, index + numberedDays));
      }
      const parts = await copyDay(run, day);
      await writing;
      rows += parts.reduce((sum, part) => sum + part.rows, 0);
      writing = writeDay(run, parts);
      // Awaited, and its error thrown, once the next day has been read.
      writing.catch(ignore);
      run.progress(`${dateOf(day.start)} of chain ${day.chainId}, ${index + 1} of ${wanted.length} days`);
    }
  } finally {
    await writing;
  }
  return rows;
}

/** The part of a day that the run has to add to a table's files, and the number of its parts before. */
type MissingPart = { part: DayOfChain; index: number };

function missingPart(
  { manifest, tables, step }: Export,
  { folder, step: ownStep, settles }: EventTable,
  { chainId, start, end: finalEnd, settled }: FinalDay,
): MissingPart | undefined {
  if (!tables.has(folder)) return undefined;
  const parts = manifest.of({ table: folder, chain: chainId, day: dateOf(start) });
  const last = parts.at(-1);
  const from = last === undefined ? start : endOf(last);
  const final = settles ? settled : finalEnd;
  const end = final - (final % Math.max(step, ownStep));
  return from < end ? { part: { chainId, start: from, end }, index: parts.length } : undefined;
}

/** Reads the numbers for the days of the first one's chain. Resolves to the time that they cover. */
async function numberDays(run: Export, wanted: DayOfChain[]): Promise<DayOfChain> {
  const [first, ...others] = wanted;
  if (first === undefined) throw new Error("there are no days to number");
  const end = others.findLast(({ chainId }) => chainId === first.chainId)?.end ?? first.end;
  const days = { ...first, end };
  const ids = eventTables.filter(({ folder }) => run.tables.has(folder)).flatMap((table) => table.ids);
  await inDaySnapshot(run, (snapshot) =>
    readNumbers(run, snapshot, { kinds: new Set(ids.map(({ kind }) => kind)), days }),
  );
  return days;
}

async function copyDay(run: Export, day: FinalDay): Promise<CopiedPart[]> {
  return await inDaySnapshot(run, async ({ client }) => {
    const parts: CopiedPart[] = [];
    for (const table of eventTables) {
      const missing = missingPart(run, table, day);
      if (missing !== undefined) parts.push(await copyTable(run, client, table, missing));
    }
    return parts;
  });
}

/** Runs `work` in a snapshot that is set up to read the rows of days. */
async function inDaySnapshot<Result>(
  run: Export,
  work: (snapshot: FinalSnapshot) => Promise<Result>,
): Promise<Result> {
  return await inSameHistory(run, async (snapshot) => {
    // A day's rows are best read by nested loops over indexes, but the planner may think that reading whole tables is faster.
    await snapshot.client.query("set local enable_hashjoin = off; set local enable_mergejoin = off");
    await snapshot.client.query("set local enable_seqscan = off; set local jit = off");
    return await work(snapshot);
  });
}

async function copyTable(
  run: Export,
  client: pg.ClientBase,
  { folder, rowsOfDay, order, ids }: EventTable,
  { part, index }: MissingPart,
): Promise<CopiedPart> {
  const place = { table: folder, chain: part.chainId, day: dateOf(part.start) };
  const columns = run.columns.get(folder) ?? [];
  const csv = csvPath(run.engine, place);
  const select = `select ${selectForCsv(columns)} ${rowsOfDay(run.schema, part)}`;
  const rows = await copyOut(client, { select, file: csv, signal: run.signal });
  const numbers = ids.map(({ name, of, kind }) => ({ name, of, table: numbersTable(kind) }));
  const until = part.end % daySeconds === 0 ? undefined : part.end;
  return { ...place, block: null, timestamp: null, until, index, csv, rows, columns, order, ids: numbers };
}

async function writeDay(run: Export, parts: CopiedPart[]): Promise<void> {
  const finished = [];
  for (const part of parts) finished.push(await convertPart(run.engine, part));
  await run.manifest.add(await putParts(run.store, finished));
}

/** Runs `work` in a snapshot of the history that the files have, whose rows may be added to them. Throws if it has another one. */
async function inSameHistory<Result>(
  { pool, schema, store, manifest }: Export,
  work: (snapshot: FinalSnapshot) => Promise<Result>,
): Promise<Result> {
  return await inFinalSnapshot(pool, schema, async (snapshot) => {
    await assertSameHistory(snapshot, schema, { name: store.name, anchors: manifest.anchors });
    manifest.anchors = await readAnchors(snapshot, schema);
    return await work(snapshot);
  });
}

/** Exports all rows of the tables whose rows change, once per day and chain, as they were at the chain's final block. */
async function exportSnapshots(run: Export): Promise<void> {
  await inSameHistory(run, async ({ client, state }) => {
    for (const chain of state.chains) {
      const finished = await writeSnapshot(run, client, chain);
      // Added together, since they are of the same block.
      if (finished.length > 0) await run.manifest.add(await putParts(run.store, finished));
    }
  });
}

async function writeSnapshot(run: Export, client: pg.ClientBase, chain: FinalChain): Promise<FinishedPart[]> {
  const finished: FinishedPart[] = [];
  // While DuckDB writes one table, Postgres reads the next.
  let writing: Promise<void> = Promise.resolve();
  try {
    for (const copy of missingCopies(run, client, chain)) {
      run.signal.throwIfAborted();
      const part = await copy();
      await writing;
      run.progress(`${part.table} of chain ${chain.chainId} at block ${chain.block}`);
      writing = convertPart(run.engine, part).then((done) => void finished.push(done));
      // Awaited, and its error thrown, once the next table has been read.
      writing.catch(ignore);
    }
  } finally {
    await writing;
  }
  return finished;
}

/** Returns a function for each missing table that writes its rows as CSV. */
function missingCopies(run: Export, client: pg.ClientBase, chain: FinalChain): (() => Promise<CopiedPart>)[] {
  const { schema } = run;
  const day = dateOf(chain.timestamp);
  const copy = (table: string, order: string[], selectOf: (columns: string) => string) => async () => {
    const place = { table, chain: chain.chainId, day };
    const columns = run.columns.get(table) ?? [];
    const csv = csvPath(run.engine, place);
    const select = selectOf(selectForCsv(columns));
    const rows = await copyOut(client, { select, file: csv, signal: run.signal });
    const { block, timestamp } = chain;
    return { ...place, block, timestamp, index: 0, csv, rows, columns, order, ids: [] };
  };
  return [
    ...snapshotTables.map(({ table, folder, key }) => ({
      folder,
      copy: copy(folder, key, (columns) => finalRows({ schema, table, key, chain, columns })),
    })),
    {
      folder: registrations.folder,
      copy: copy(registrations.folder, registrations.order, (columns) =>
        registrationsOf(schema, chain, columns),
      ),
    },
  ].flatMap(({ folder, copy }) => {
    const place = { table: folder, chain: chain.chainId, day: dateOf(chain.timestamp) };
    return run.tables.has(folder) && run.manifest.of(place).length === 0 ? [copy] : [];
  });
}
