import type pg from "pg";
import { onConnection } from "../../offchain/connection.ts";
import { forgetLiveSchema, readLiveSchemas, recordLiveSchema } from "../../offchain/live-schema.ts";
import { type Adoption, adoptJournal, copyJournal, resumeJournal } from "../../offchain/stream-adoption.ts";

/**
 * Makes a schema the one that everything means without naming it. It runs in a transaction: at the switch of an upgrade, and at the
 * start of a deployment's first schema, whose tables aren't there yet.
 *
 * Whatever has to follow the live schema at the same moment is changed here. The views for analysts follow it on their own.
 */
async function publishSchema(client: pg.Client, schema: string): Promise<void> {
  await recordLiveSchema(client, schema);
}

/** At an ordinary start: the first schema of a deployment is live, and any schema that is indexed writes its own journal. */
export async function publishFirstSchema(url: string, schema: string): Promise<void> {
  await onConnection(url, async (client) => {
    await resumeJournal(client, schema);
    if ((await readLiveSchemas(client)).length === 0) await publishSchema(client, schema);
  });
}

/** Prepares {@link switchSchema}, while the journal of `from` is still written. */
export async function prepareSwitch(url: string, adoption: Adoption): Promise<string> {
  return await onConnection(url, (client) => copyJournal(client, adoption));
}

/** Makes `to` the live schema, and has its journal go on where that of `from` is: both at once. */
export async function switchSchema(url: string, adoption: Adoption & { settled: string }): Promise<void> {
  await onConnection(url, (client) =>
    adoptJournal(client, adoption, () => publishSchema(client, adoption.to)),
  );
}

/** Takes a switch to `to` back, if there was one. */
export async function switchBack(url: string, { from, to }: Adoption): Promise<void> {
  await onConnection(url, async (client) => {
    const [live] = await readLiveSchemas(client);
    if (live?.schema !== to) return;
    await adoptJournal(client, { from: to, to: from, settled: "" }, async () => {
      await forgetLiveSchema(client, to);
      const [before] = await readLiveSchemas(client);
      await publishSchema(client, before?.schema ?? from);
    });
  });
}
