import type { Environment } from "../config/env.ts";
import { onConnection } from "../offchain/connection.ts";
import { servesSql } from "./analysts/choose-sql-server.ts";
import { prepareAnalysts } from "./analysts/prepare-analysts.ts";
import { localUrl } from "./checks/listen-address.ts";
import { addRedactor, log } from "./log/log.ts";
import { startPonder } from "./ponder/ponder.ts";
import { prepareReads } from "./ponder/read-role.ts";
import { serviceEnvironment } from "./ponder/service-environment.ts";
import type { RestartingProcess } from "./process/keep-running.ts";
import type { Supervisor } from "./process/supervisor.ts";
import { settingsRedactor } from "./redact.ts";

/** The connection strings of the database to serve from. */
export type ServedDatabase = { url: string; readUrl: string | undefined; sqlUrl: string | undefined };

/** Starts a process that serves the API from what another process indexes into the schema. */
export async function serveSchema(
  supervisor: Supervisor,
  settings: Environment,
  { url, readUrl, sqlUrl: sqlLogin }: ServedDatabase,
  schema: string,
): Promise<RestartingProcess> {
  const { host, port, chains, images, dataDir, moderationFile } = settings;
  await prepareReads({ url, readUrl, schema, log });
  const isSqlOn = await servesSql({ isSqlOn: settings.isSqlOn, readUrl });
  const sqlUrl = await prepareAnalysts({ url, readUrl, sqlUrl: sqlLogin, schema, isSqlOn, log });
  addRedactor(settingsRedactor({ chains, images }, url, readUrl, sqlUrl));
  const api = await startPonder(supervisor, {
    command: "serve",
    host,
    port,
    schema,
    // Only the indexer needs the aggregators behind a price feed; the rates are in the database.
    env: serviceEnvironment({
      port,
      databaseUrl: url,
      databaseReadUrl: readUrl,
      databaseSqlUrl: sqlUrl,
      isSqlOn,
      schema,
      dataDir,
      moderationFile,
    }),
    prepare: () => onConnection(url, ignoreConnection),
  });
  log(`The API is at ${localUrl(host, port)}/api, with what npm start indexes into the schema ${schema}.`);
  return api;
}

/** Only whether there is one counts. */
const ignoreConnection = async () => {};
