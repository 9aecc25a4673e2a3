import type pg from "pg";
import { selectForCsv } from "../tables/columns.ts";
import { type DayOfChain, eventTables } from "../tables/tables.ts";
import { copyOut } from "./copy-out.ts";
import { dateOf, finalDays } from "./days.ts";
import type { Export } from "./export.ts";
import { type FinalSnapshot, inFinalSnapshot } from "./final-snapshot.ts";
import { type CopiedPart, convertPart, csvOf, putParts } from "./part.ts";

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
      const parts = await copyDay(run, day);
      await writing;
      rows += parts.reduce((sum, part) => sum + part.rows, 0);
      writing = writeDay(run, parts);
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

async function copyDay(run: Export, day: DayOfChain): Promise<CopiedPart[]> {
  return await inFinalSnapshot(run.pool, run.schema, async (snapshot) => {
    assertFinal(snapshot, day);
    // Each table of a day is a nested loop over indexes, and the planner may think that reading all is quicker.
    await snapshot.client.query("set local enable_hashjoin = off; set local enable_mergejoin = off");
    await snapshot.client.query("set local enable_seqscan = off; set local jit = off");
    const parts: CopiedPart[] = [];
    for (const table of eventTables) {
      if (isMissing(run, table.folder, day)) parts.push(await copyTable(run, snapshot.client, table, day));
    }
    return parts;
  });
}

async function copyTable(
  run: Export,
  client: pg.ClientBase,
  { folder, rowsOfDay }: (typeof eventTables)[number],
  day: DayOfChain,
): Promise<CopiedPart> {
  const place = { table: folder, chain: day.chainId, day: dateOf(day.start) };
  const columns = run.columns.get(folder) ?? [];
  const csv = csvOf(run.engine, place);
  const select = `select ${selectForCsv(columns)} ${rowsOfDay(run.schema, day)}`;
  const rows = await copyOut(client, { select, file: csv, signal: run.signal });
  return { ...place, block: null, timestamp: null, csv, rows, columns };
}

async function writeDay(run: Export, parts: CopiedPart[]): Promise<void> {
  const finished = [];
  for (const part of parts) finished.push(await convertPart(run.engine, part));
  await run.manifest.add(await putParts(run.store, finished));
}

/** What was final stays so, unless the index was made anew meanwhile. */
function assertFinal({ state }: FinalSnapshot, { chainId, end }: DayOfChain): void {
  const chain = state.chains.find((candidate) => candidate.chainId === chainId);
  if (chain === undefined || chain.timestamp < end) {
    throw new Error(`the index has changed: the day up to ${end} of chain ${chainId} was final, and is not`);
  }
}
