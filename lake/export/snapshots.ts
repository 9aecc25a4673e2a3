import type pg from "pg";
import { type FinalChain, finalRows } from "../../runtime/ponder/final-rows.ts";
import { selectForCsv } from "../tables/columns.ts";
import { registrationsOf } from "../tables/registrations.ts";
import { registrations, snapshotTables } from "../tables/tables.ts";
import { copyOut } from "./copy-out.ts";
import { dateOf } from "./days.ts";
import type { Export } from "./export.ts";
import { inFinalSnapshot } from "./final-snapshot.ts";
import { type CopiedPart, convertPart, csvPath, type FinishedPart, putParts } from "./part.ts";

/** Exports all rows of the tables whose rows change, once per day and chain, as they were at the chain's final block. */
export async function exportSnapshots(run: Export): Promise<void> {
  await inFinalSnapshot(run.pool, run.schema, async ({ client, state }) => {
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
      writing.catch(awaitedAfterNextTable);
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
    return { ...place, block: chain.block, timestamp: chain.timestamp, csv, rows, columns, order, ids: [] };
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
  ].flatMap(({ folder, copy }) => (isMissing(run, folder, chain) ? [copy] : []));
}

const isMissing = ({ manifest, tables }: Export, table: string, { chainId, timestamp }: FinalChain) =>
  tables.has(table) && !manifest.has({ table, chain: chainId, day: dateOf(timestamp) });

/** Writing is awaited, and its error thrown, once the next table has been read. */
const awaitedAfterNextTable = () => {};
