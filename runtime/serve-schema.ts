import path from "node:path";
import { feedVariable } from "../config/chains.ts";
import type { Environment } from "../config/env.ts";
import { childEnvironment } from "../config/process-environment.ts";
import { onConnection } from "../offchain/connection.ts";
import { localUrl } from "./checks/host.ts";
import { addRedactor, log, settingsRedactor } from "./log/log.ts";
import { type PonderOptions, startPonder } from "./ponder/ponder.ts";
import { prepareReads } from "./ponder/read-role.ts";
import type { DatabaseUrls } from "./postgres/database.ts";
import { prepareAnalysts, servesSql } from "./prepare-analysts.ts";
import type { ChosenFeeds } from "./price-feed/choose-feeds.ts";
import type { RestartingProcess } from "./process/child-process.ts";
import type { Supervisor } from "./process/supervisor.ts";
import type { PublicPort } from "./public-port.ts";

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
