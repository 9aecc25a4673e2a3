import type pg from "pg";
import { onConnection } from "../../offchain/connection.ts";
import { readLiveSchemas, recordLiveSchema, revertLiveSchema } from "../../offchain/live-schema.ts";
import {
  type Adoption,
  adoptJournal,
  copyJournal,
  resumeJournal,
  withJournals,
} from "../../offchain/stream-adoption.ts";
import { readFinalState } from "../ponder/final-rows.ts";
import { prepareViews, switchViews } from "../ponder/views/switch-views.ts";
import { StartError } from "../start-error.ts";
import { readStaleSchemas, reopenJournal } from "./repair.ts";

/**
 * Makes a schema the live one, which is used wherever none is named, together with everything that must change in the same
 * transaction. Returns whether the analysts' views could be switched right away.
 */
async function publishSchema(client: pg.Client, schema: string): Promise<boolean> {
  await recordLiveSchema(client, schema);
  return await switchViews(client, schema);
}

/**
 * Makes a schema live that a process with a DATABASE_SCHEMA of its own has filled. Throws a StartError if nothing was ever
 * indexed into it, if its history is not complete, or if it has been repaired in another one.
 */
export async function publishIndexedSchema(client: pg.ClientBase, schema: string): Promise<void> {
  const refused = (reason: string) => new StartError(`the schema ${schema} is not made live: ${reason}`);
  const state = await readFinalState(client, schema);
  if (state === undefined) throw refused("nothing was ever indexed into it");
  if (!state.isReady) throw refused("its history is not complete yet");
  if ((await readStaleSchemas(client)).has(schema)) throw refused("it has been repaired in another one");
  await recordLiveSchema(client, schema);
}

/** Milliseconds for a query, after which the database counts as gone. Preparing copies the journal, and waits up to 5 minutes for locks. */
const answerMs = { prepare: 900_000, back: 30_000 };

/** At an ordinary start, makes the first schema of a deployment live, and lets the schema write its own journal. */
export async function publishFirstSchema(url: string, schema: string): Promise<void> {
  await onConnection(url, async (client) => {
    await resumeJournal(client, schema);
    // Its tables don't exist yet, so there are no views to switch.
    if ((await readLiveSchemas(client)).length === 0) await recordLiveSchema(client, schema);
  });
}

/**
 * Prepares {@link switchSchema} while the journal of `from` is still being written. Returns the position up to which the copied
 * journal is final.
 */
export async function prepareSwitch(
  url: string,
  adoption: Adoption,
  log: (line: string) => void,
): Promise<string> {
  const prepare = async (client: pg.Client) => {
    await client.query("set lock_timeout = '5min'");
    const settled = await copyJournal(client, adoption);
    await prepareViews(client, adoption.to).catch((error: unknown) =>
      log(`warning: the views for analysts can't be prepared (${error})`),
    );
    return settled;
  };
  return await onConnection(url, prepare, { answerMs: answerMs.prepare });
}

/**
 * Makes `to` the live schema and continues the journal of `from` in it, atomically. Returns whether the views for analysts are
 * switched too.
 */
export async function switchSchema(url: string, adoption: Adoption & { settled: string }): Promise<boolean> {
  return await onConnection(url, async (client) => {
    let isWhole = false;
    await adoptJournal(client, adoption, async () => {
      await reopenJournal(client, adoption.to);
      isWhole = await publishSchema(client, adoption.to);
    });
    return isWhole;
  });
}

/** Rolls back a switch to `to`, if there was one. One whose COMMIT got no answer may still succeed: its locks are waited for. */
export async function switchBack(url: string, { from, to }: Adoption): Promise<void> {
  const revert = (client: pg.Client) =>
    withJournals(client, { from, to }, async () => {
      const [live] = await readLiveSchemas(client);
      if (live?.schema !== to) return;
      await adoptJournal(client, { from: to, to: from, settled: "" }, async () => {
        await revertLiveSchema(client, to);
        const [live] = await readLiveSchemas(client);
        await publishSchema(client, live?.schema ?? from);
      });
    });
  await onConnection(url, revert, { answerMs: answerMs.back });
}
