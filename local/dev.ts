import path from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { forgetLostBlocks } from "../chain-access/history/forget.ts";
import { keepConnection } from "../offchain/connection.ts";
import { migrate } from "../runtime/checks/database.ts";
import { assertApiPorts, assertDataDir, assertPortFree, localUrl } from "../runtime/checks/host.ts";
import { expectNoArguments } from "../runtime/command-line.ts";
import { log } from "../runtime/log/log.ts";
import { startPonder, whenIndexed } from "../runtime/ponder/ponder.ts";
import { prepareReads } from "../runtime/ponder/read-role.ts";
import { createSchemaLock } from "../runtime/ponder/schema-lock.ts";
import { followIndex } from "../runtime/ponder/views/follow-index.ts";
import { startPostgres } from "../runtime/postgres/start-postgres.ts";
import { prepareAnalysts } from "../runtime/prepare-analysts.ts";
import { resolveChainFeeds } from "../runtime/price-feed/resolve-feed.ts";
import { createSupervisor } from "../runtime/process/supervisor.ts";
import { readSettings } from "../runtime/settings.ts";
import { StartError } from "../runtime/start-error.ts";
import { repairInPlace } from "../runtime/upgrade/repair.ts";
import { testKey } from "./anvil.ts";
import { blockHash, chainHead, startLocalChain } from "./chain.ts";
import type { LocalDeployment } from "./chain-files.ts";
import { localAlerts, localDataDir, localEnvironment, localSchema } from "./local-environment.ts";
import { runLiveMarket } from "./market/live.ts";
import { assertOwnDatabase } from "./own-database.ts";

/** Parts of Ponder's log lines that are only noise on the local stack. */
const quiet = [
  "(.env.local) not found",
  "Connected to JSON-RPC",
  "Dropped existing database",
  "No new block received",
];

const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    expectNoArguments();
    const settings = readSettings(log);
    const { port, databaseUrl, databaseReadUrl, dataDir, localChainPort, localMarket, rateLimit } = settings;
    const { host = "127.0.0.1" } = settings;
    const apiUrl = localUrl(host, port);
    const localDir = localDataDir(dataDir);
    if (port === localChainPort) {
      throw new StartError("LOCAL_CHAIN_PORT is wrong: it must differ from PORT", { code: "port-taken" });
    }
    await assertApiPorts({ ...settings, host });
    await assertDataDir(dataDir);
    await assertPortFree(localChainPort, "local chain", "LOCAL_CHAIN_PORT");
    if (databaseUrl !== undefined) await assertOwnDatabase(databaseUrl);

    const [database, chain] = await Promise.all([
      databaseUrl === undefined
        ? supervisor.adopt("Postgres", (context) =>
            startPostgres({ dataDir: path.join(localDir, "postgres"), log, ...context }),
          )
        : { url: databaseUrl, readUrl: databaseReadUrl, sqlUrl: settings.databaseSqlUrl },
      startLocalChain(supervisor, { port: localChainPort, dataDir: localDir, market: localMarket, log }),
    ]);
    await migrate(database.url, { log, signal: supervisor.signal });
    await prepareReads({ ...database, schema: localSchema, log });
    const { isSqlOn = true } = settings;
    const sqlUrl = await prepareAnalysts({ ...database, schema: localSchema, isSqlOn, log });
    // Locked, because a second process that indexes into the schema would drop its tables.
    const { signal } = supervisor;
    const onLost = () => log("the database closed the connection that keeps the schema for this process");
    await createSchemaLock({ url: database.url, schema: localSchema, signal, onLost }).acquire();
    const onDatabase = keepConnection(database.url, signal);
    void followIndex({ onDatabase, schema: localSchema, signal, log });
    const { rpcUrl, deployment } = chain;
    // A killed node loses the blocks that it had not saved.
    await forgetLostBlocks({
      databaseUrl: database.url,
      chainId: 56,
      launchpad: deployment.launchpad,
      readHash: (block) => blockHash(rpcUrl, block),
    });
    const feed = await resolveChainFeeds({ id: 56, rpcUrls: [rpcUrl], priceFeeds: [deployment.priceFeed] });
    if (feed === undefined) throw new StartError("the local chain does not answer: start again");

    const indexer = await startPonder(supervisor, {
      command: "dev",
      schema: localSchema,
      host,
      env: {
        ...localEnvironment({
          port,
          databaseUrl: database.url,
          databaseReadUrl: database.readUrl,
          databaseSqlUrl: sqlUrl,
          isSqlOn,
          rpcUrl,
          deployment,
          priceFeeds: feed.aggregators,
          schema: localSchema,
          dataDir: localDir,
          rateLimit: rateLimit.isOn === true,
        }),
        ...localAlerts(host),
      },
      isShown: ({ msg }) => !quiet.some((text) => msg.includes(text)),
    });
    void repairInPlace({ onDatabase, schema: localSchema, signal, log, restart: indexer.restart });
    await whenIndexed(apiUrl, await chainHead(rpcUrl), supervisor.signal);
    if (localMarket) await startMarket(chain, apiUrl);
    log(
      welcome({
        port,
        embedded: "analystUrl" in database ? database : undefined,
        ...chain,
        market: localMarket,
      }),
    );
  }),
);

/** Starts the simulated market. Resolves once it trades; rejects if it ends before that. */
function startMarket(chain: Awaited<ReturnType<typeof startLocalChain>>, apiUrl: string): Promise<void> {
  const { signal } = supervisor;
  const open = Promise.withResolvers<void>();
  runLiveMarket({ ...chain, apiUrl, onOpen: open.resolve, signal }).catch((error: unknown) => {
    if (!signal.aborted) {
      const reason = error instanceof Error && error.cause !== undefined ? `${error}: ${error.cause}` : error;
      log(`simulated market ended unexpectedly (${reason}): stopping the rest`, "error");
      void supervisor.stop(1);
    }
    open.reject(error);
  });
  return open.promise;
}

type WelcomeOptions = {
  port: number;
  /** The embedded Postgres; undefined: the one of DATABASE_URL. */
  embedded: { analystUrl: string; ownerPasswordFile: string } | undefined;
  rpcUrl: string;
  deployment: LocalDeployment;
  market: boolean;
};

/** The message when everything is running: the addresses, and a command to try. */
function welcome({ port, embedded, rpcUrl, deployment, market }: WelcomeOptions): string {
  const api = `http://localhost:${port}`;
  return `
  The launchpad is live${market ? ", with a simulated market" : ""}. Ctrl-C stops it; the next start carries on.

    Explorer   ${api}
    REST       ${api}/api  (its documentation: ${api}/docs)
    GraphQL    ${api}/graphql
    SQL        ${api}/sql  (docs/analysts.md)
    RPC        ${rpcUrl}  (chain id 56)
    Contracts  TokenFactory ${deployment.tokenFactory}
               Launchpad    ${deployment.launchpad}
               DEX router   ${deployment.router}
               BNB/USD feed ${deployment.priceFeed}
    Postgres   ${postgres(embedded)}
    Test key   ${testKey}
               (${privateKeyToAddress(testKey)}, funded on this chain only; everyone knows it)

  Try:

    curl -s '${api}/api/tokens?board=graduating&limit=3'
`;
}

function postgres(embedded: WelcomeOptions["embedded"]): string {
  return embedded === undefined
    ? "the one of DATABASE_URL"
    : `${embedded.analystUrl}  (reads only)
    its owner  launchpad, with the password in ${embedded.ownerPasswordFile}`;
}
