import type pg from "pg";
import { ignore } from "../../config/async.ts";
import { type FinalState, readFinalState } from "../../runtime/ponder/final-rows.ts";
import { StartError } from "../../runtime/start-error.ts";

/** A snapshot of the database, in which rows and finality are consistent. */
export type FinalSnapshot = { client: pg.ClientBase; state: FinalState };

/** The index can't be exported yet. It will be ready by itself. */
export class NotReadyError extends StartError {}

/** Runs `work` in one read-only snapshot. Throws a NotReadyError while rows of final blocks may be missing. */
export async function inFinalSnapshot<Result>(
  pool: pg.Pool,
  schema: string,
  work: (snapshot: FinalSnapshot) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failed: unknown;
  try {
    await client.query("begin isolation level repeatable read read only");
    const state = await readFinalState(client, schema);
    if (state === undefined || state.chains.length === 0) {
      throw new NotReadyError(
        `there is no index in schema ${schema} yet: start the service, or set DATABASE_SCHEMA to the one that it uses`,
      );
    }
    if (!state.isReady) {
      throw new NotReadyError(
        "the index is not complete: the indexer is still reading history, or has just been started. Run it again once /ready answers 200, or with --follow",
      );
    }
    return await work({ client, state });
  } catch (error) {
    failed = error;
    throw error;
  } finally {
    // An interrupted COPY leaves its connection unusable. The transaction has only read: nothing is lost if it can't be committed.
    if (failed === undefined) await client.query("commit").catch(ignore);
    client.release(failed !== undefined);
  }
}
