import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { feedVariable } from "../config/chains.ts";
import type { Environment } from "../config/env.ts";
import { childEnvironment } from "../config/process-environment.ts";
import { onConnection } from "../offchain/connection.ts";
import { prepareAnalysts, servesSql } from "./analysts/prepare-analysts.ts";
import { localUrl } from "./checks/host.ts";
import { addRedactor, log, settingsRedactor } from "./log/log.ts";
import { isIndexed } from "./ponder/indexed-schemas.ts";
import { type PonderOptions, startPonder } from "./ponder/ponder.ts";
import { prepareReads } from "./ponder/read-role.ts";
import type { SchemaLock } from "./ponder/schema-lock.ts";
import type { DatabaseUrls } from "./postgres/database.ts";
import type { ChosenFeeds } from "./price-feed/choose-feeds.ts";
import type { RestartingProcess } from "./process/child-process.ts";
import type { Supervisor } from "./process/supervisor.ts";
import { type PublicPort, starting } from "./public-port.ts";
import { StartError } from "./start-error.ts";

type ServiceOptions = Omit<PonderOptions, "host" | "env"> & {
  publicPort: PublicPort;
  /** The contracts behind the configured price feeds, which replace them. */
  priceFeeds?: ChosenFeeds;
  /** Further variables of its environment. */
  env?: Record<string, string>;
};

/** Starts Ponder with the port, the database and the roles of the settings. */
export async function startService(
  supervisor: Supervisor,
  settings: Environment,
  { url, readUrl, sqlUrl: sqlLogin }: DatabaseUrls,
  { priceFeeds = new Map(), env, ...options }: ServiceOptions,
): Promise<RestartingProcess> {
  const { host, port, chains, images, dataDir, moderationFile } = settings;
  const { schema } = options;
  const isSqlOn = await servesSql({ isSqlOn: settings.isSqlOn, readUrl });
  const sqlUrl = await prepareAnalysts({ url, readUrl, sqlUrl: sqlLogin, schema, isSqlOn, log });
  addRedactor(settingsRedactor({ chains, images }, url, readUrl, sqlUrl));
  return await startPonder(supervisor, {
    ...options,
    host,
    env: childEnvironment({
      ...env,
      // Without the endpoints that are of another chain or lack the contracts.
      ...Object.fromEntries(
        chains.map(({ id, rpcUrls, webSocketUrls }) => [
          `PONDER_RPC_URL_${id}`,
          [...rpcUrls, ...webSocketUrls].join(","),
        ]),
      ),
      ...Object.fromEntries(
        Array.from(priceFeeds, ([id, addresses]) => [feedVariable({ id }), addresses.join(",")]),
      ),
      PORT: String(port),
      DATABASE_URL: url,
      // Empty, not unset: Ponder reads unset variables from .env.local.
      DATABASE_READ_URL: readUrl ?? "",
      DATABASE_SQL_URL: sqlUrl ?? "",
      SQL: isSqlOn ? "on" : "off",
      DATABASE_SCHEMA: schema,
      // Absolute, since its working directory may differ from ours.
      DATA_DIR: path.resolve(dataDir),
      MODERATION_FILE: moderationFile === undefined ? "" : path.resolve(moderationFile),
      // Empty, since Ponder prefers it to DATABASE_URL, and reads it from .env.local if it is not set.
      DATABASE_PRIVATE_URL: "",
    }),
  });
}

/** Starts a process that serves the API from what another process indexes into the schema. */
export async function serveSchema(
  supervisor: Supervisor,
  settings: Environment,
  database: DatabaseUrls,
  schema: string,
  publicPort: PublicPort,
): Promise<RestartingProcess> {
  const { url, readUrl } = database;
  await prepareReads({ url, readUrl, schema, log });
  const api = await startService(supervisor, settings, database, {
    // Only the indexer needs the aggregators behind a price feed; the rates are in the database.
    command: "serve",
    schema,
    publicPort,
    // Only whether there is a connection counts.
    prepare: () => onConnection(url, async () => {}),
  });
  log(
    `The API is at ${localUrl(settings.host, settings.port)}/api, with what npm start indexes into the schema ${schema}.`,
  );
  return api;
}

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

/** Resolves to true once this process holds the lock, or to false once `isEnough` is true. */
async function untilTaken(
  { supervisor, schema, lock, chooseSchema }: StandbyOptions,
  isEnough = async () => false,
): Promise<boolean> {
  let lastReason = "";
  for (let look = 1; ; look++) {
    await delay(pollMs, undefined, { signal: supervisor.signal });
    try {
      const isTaken = await lock.tryAcquire();
      const live = isTaken || look % looksPerSchema === 0 ? await chooseSchema() : schema;
      if (live !== schema) throw changedSchema(schema, live);
      if (isTaken) {
        log(`The process that indexed into the schema ${schema} has gone: this one indexes from now on.`);
        return true;
      }
      if (await isEnough()) return false;
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = `standing by: ${error instanceof Error ? error.message : error}`;
      if (reason !== lastReason) log(reason, "warn");
      lastReason = reason;
    }
  }
}

const changedSchema = (schema: string, live: string) =>
  new StartError(
    `the schema ${live} has replaced ${schema}, by an upgrade or a repair: start this process again, with the version that fills it`,
  );
