import { rm } from "node:fs/promises";
import type pg from "pg";
import { selectForCsv } from "../tables/columns.ts";
import { idsOfDay } from "../tables/ids.ts";
import { type DayOfChain, type EventTable, eventTables } from "../tables/tables.ts";
import { copyOut } from "./copy-out.ts";
import { dateOf, finalDays } from "./days.ts";
import type { Export } from "./export.ts";
import { type FinalSnapshot, inFinalSnapshot } from "./final-snapshot.ts";
import { type CopiedPart, convertPart, csvOf, putParts } from "./part.ts";

/** The tables of a day, and the files of numbers that they share. */
type CopiedDay = { parts: CopiedPart[]; idFiles: ReadonlyMap<string, string> };

/** Exports each final day that is not there yet, of each chain. Resolves to the number of rows. */
export async function exportEvents(run: Export): Promise<number> {
  const days = await inFinalSnapshot(run.pool, run.schema, async ({ client, state }) =>
    (await Promise.all(state.chains.map((chain) => finalDays(client, run.schema, chain)))).flat(),
  );
  const wanted = days.filter((day) => eventTables.some((table) => isMissing(run, table.folder, day)));
  let rows = 0;
  // While DuckDB writes the files of one day, Postgres reads the next.
  let writing: Promise<void> = Promise.resolve();
  try {
    for (const [index, day] of wanted.entries()) {
      run.signal.throwIfAborted();
      const copied = await copyDay(run, day);
      await writing;
      rows += copied.parts.reduce((sum, part) => sum + part.rows, 0);
      writing = writeDay(run, copied);
      // It is awaited after the next day was read.
      writing.catch(() => {});
      run.progress(`${dateOf(day.start)} of chain ${day.chainId}, ${index + 1} of ${wanted.length} days`);
    }
  } finally {
    await writing;
  }
  return rows;
}

const isMissing = ({ manifest, tables }: Export, table: string, { chainId, start }: DayOfChain) =>
  tables.has(table) && !manifest.has({ table, chain: chainId, day: dateOf(start) });

async function copyDay(run: Export, day: DayOfChain): Promise<CopiedDay> {
  return await inFinalSnapshot(run.pool, run.schema, async (snapshot) => {
    assertFinal(snapshot, day);
    // Each table of a day is a nested loop over indexes, and the planner may think that reading all is quicker.
    await snapshot.client.query("set local enable_hashjoin = off; set local enable_mergejoin = off");
    await snapshot.client.query("set local enable_seqscan = off; set local jit = off");
    const missing = eventTables.filter((table) => isMissing(run, table.folder, day));
    const idFiles = await copyIds(run, snapshot.client, missing, day);
    const parts: CopiedPart[] = [];
    for (const table of missing) parts.push(await copyTable(run, snapshot.client, { table, day, idFiles }));
    return { parts, idFiles };
  });
}

/** Writes the numbers of a day's addresses, and resolves to the file of each kind. */
async function copyIds(
  run: Export,
  client: pg.ClientBase,
  tables: EventTable[],
  day: DayOfChain,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const kind of new Set(tables.flatMap(({ ids }) => ids.map((id) => id.kind)))) {
    const file = csvOf(run.engine, { table: `${kind}-ids`, chain: day.chainId, day: dateOf(day.start) });
    await copyOut(client, { select: idsOfDay(kind, run.schema, day), file, signal: run.signal });
    files.set(kind, file);
  }
  return files;
}

async function copyTable(
  run: Export,
  client: pg.ClientBase,
  { table, day, idFiles }: { table: EventTable; day: DayOfChain; idFiles: ReadonlyMap<string, string> },
): Promise<CopiedPart> {
  const { folder, rowsOfDay, order } = table;
  const place = { table: folder, chain: day.chainId, day: dateOf(day.start) };
  const columns = run.columns.get(folder) ?? [];
  const csv = csvOf(run.engine, place);
  const select = `select ${selectForCsv(columns)} ${rowsOfDay(run.schema, day)}`;
  const rows = await copyOut(client, { select, file: csv, signal: run.signal });
  const ids = table.ids.map(({ name, of, kind }) => ({ name, of, csv: idFiles.get(kind) ?? "" }));
  return { ...place, block: null, timestamp: null, csv, rows, columns, order, ids };
}

async function writeDay(run: Export, { parts, idFiles }: CopiedDay): Promise<void> {
  const finished = [];
  for (const part of parts) finished.push(await convertPart(run.engine, part));
  for (const file of idFiles.values()) await rm(file);
  await run.manifest.add(await putParts(run.store, finished));
}

/** What was final stays so, unless the index was made anew meanwhile. */
function assertFinal({ state }: FinalSnapshot, { chainId, end }: DayOfChain): void {
  const chain = state.chains.find((candidate) => candidate.chainId === chainId);
  if (chain === undefined || chain.timestamp < end) {
    throw new Error(`the index has changed: the day up to ${end} of chain ${chainId} was final, and is not`);
  }
}
