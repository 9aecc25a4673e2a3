import type { Environment } from "../config/env.ts";
import { isTransientDatabaseError } from "../config/error-code.ts";
import { log } from "./log/log.ts";
import { lookUntil } from "./look-until.ts";
import { isIndexed } from "./ponder/indexed-schemas.ts";
import type { SchemaLock } from "./ponder/schema-lock.ts";
import type { DatabaseUrls } from "./postgres/database.ts";
import type { Supervisor } from "./process/supervisor.ts";
import { type PublicPort, starting } from "./public-port.ts";
import { serveSchema } from "./serve-schema.ts";
import { isLostDatabase, StartError } from "./start-error.ts";

/** Milliseconds between two looks at the process that indexes. */
const pollMs = 1_000;
/** How many of them there are for each look at the live schema. */
const looksPerSchema = 5;
/** Milliseconds for the API to answer its last requests before this process indexes. */
const stopMs = 2_000;

export type StandbyOptions = {
  supervisor: Supervisor;
  settings: Environment;
  database: DatabaseUrls;
  schema: string;
  lock: SchemaLock;
  publicPort: PublicPort;
  /** Returns the schema that a start would choose now. */
  chooseSchema: () => Promise<string>;
};

/**
 * Serves what another process indexes into the schema, until that process has gone and this one holds the right to index. Throws a
 * StartError if another schema becomes the live one meanwhile: after an upgrade, perhaps only another version can index into it.
 */
export async function standBy(options: StandbyOptions): Promise<void> {
  const { supervisor, settings, database, schema, publicPort } = options;
  log(
    `Another process indexes into the schema ${schema}: this one serves it, and indexes once the other has gone.`,
  );
  if (!(await isIndexed(database.url, schema))) {
    await publicPort.hold({
      code: "not_indexed_yet",
      title: "Not indexed yet",
      detail: `Another process has just begun to index into the schema ${schema}, which this one stands by to serve.`,
    });
    if (await untilTaken(options, () => isIndexed(database.url, schema))) return;
  }
  const api = await serveSchema(supervisor, settings, database, schema, publicPort);
  await untilTaken(options);
  supervisor.dismiss(api);
  await api.stop({ timeoutMs: stopMs });
  await publicPort.hold(starting);
}

/** Whether an error ends a standby: not if the database is away, takes no writes or no connections for now, or if another process was faster. */
export const endsStandby = (error: unknown): boolean =>
  !isLostDatabase(error) &&
  !isTransientDatabaseError(error) &&
  !(error instanceof StartError && error.code === "in-use");

/** Resolves to true once this process holds the lock, or to false once `isEnough` is true. */
async function untilTaken(
  { supervisor, schema, lock, chooseSchema }: StandbyOptions,
  isEnough = async () => false,
): Promise<boolean> {
  let looks = 0;
  const look = async () => {
    looks += 1;
    const isTaken = await lock.tryAcquire();
    const live = isTaken || looks % looksPerSchema === 0 ? await chooseSchema() : schema;
    if (live !== schema) throw changedSchema(schema, live);
    if (isTaken) {
      log(`The process that indexed into the schema ${schema} has gone: this one indexes from now on.`);
      return true;
    }
    return (await isEnough()) ? false : undefined;
  };
  return await lookUntil(look, { everyMs: pollMs, what: "standing by", signal: supervisor.signal });
}

const changedSchema = (schema: string, live: string) =>
  new StartError(
    `the schema ${live} has replaced ${schema}, by an upgrade or a repair: start this process again, with the version that fills it`,
  );
