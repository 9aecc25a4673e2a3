import path from "node:path";
import { ignore } from "../config/async.ts";
import { childEnvironment, terminalVariable } from "../config/process-environment.ts";
import { keepConnection, onConnection } from "../offchain/connection.ts";
import { analystRole } from "../offchain/read-grants.ts";
import { pauseJournal } from "../offchain/stream-adoption.ts";
import { assertApiPorts, checkHost, localUrl, noChainMessage } from "./checks/host.ts";
import { expectNoArguments } from "./command-line.ts";
import { log } from "./log/log.ts";
import { lookUntil } from "./look-until.ts";
import { dropMinuteCandles } from "./ponder/drop-minute-candles.ts";
import { prepareReads } from "./ponder/read-role.ts";
import { describeOtherRows } from "./ponder/rows-version.ts";
import { createSchemaLock } from "./ponder/schema-lock.ts";
import { followIndex } from "./ponder/views/follow-index.ts";
import type { DatabaseUrls } from "./postgres/database.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import type { ChosenFeeds } from "./price-feed/choose-feeds.ts";
import type { FeedChain } from "./price-feed/resolve-feed.ts";
import { watchFeeds } from "./price-feed/watch-feeds.ts";
import type { RestartingProcess } from "./process/child-process.ts";
import { collectGarbage, createSupervisor } from "./process/supervisor.ts";
import { createPublicPort, starting } from "./public-port.ts";
import { readSettingsApart, withStartTasks } from "./run-start-tasks.ts";
import { startService } from "./serve-schema.ts";
import { endsStandby, standBy } from "./standby.ts";
import { StartError } from "./start-error.ts";
import { chooseNextSchema, chooseSchema } from "./upgrade/choose-schema.ts";
import { offerUpgrades } from "./upgrade/offer-upgrades.ts";
import { assertSameAddress, findPredecessor, showLife } from "./upgrade/predecessor.ts";
import { publishFirstSchema } from "./upgrade/publish-schema.ts";
import { takeOver } from "./upgrade/take-over.ts";
import { createHistoryWatch } from "./upgrade/wait-until-ready.ts";

const changedApp =
  "The contracts, the schema or the handlers have changed since this schema was filled: run npm run upgrade while the version that filled it runs, or set DATABASE_SCHEMA to a new name, such as onchain_2 (npm run schemas lists the existing ones). Registrations are stored separately and stay.";

const changedUpgrade = (schema: string) =>
  `The schema ${schema} is of another version: run npm run upgrade in that one's folder, or with another schema (npm run upgrade -- --to <name>). If an upgrade that did not succeed has left it, drop it (npm run schemas -- drop ${schema}) and upgrade again.`;

const awaitingFeeds = {
  code: "chain_unavailable",
  title: "Chain unavailable",
  detail:
    "No RPC endpoint answers (PONDER_RPC_URL), and what a price feed's address stands for decides what is indexed: the start waits for one.",
} as const;

/** Milliseconds before a standby begins, and between its attempts while the database is away. */
const standbyMs = 1_000;

const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    expectNoArguments();
    const environment = childEnvironment({});
    const predecessor = findPredecessor();
    const upgrading = new AbortController();
    if (predecessor !== undefined) showLife(predecessor, upgrading.signal);
    const { settings, publicPort, embedded, served } = await withStartTasks(supervisor, async (run) => {
      const configured = await readSettingsApart(run);
      if (configured.chains.length === 0) throw new StartError(noChainMessage);
      const publicPort = createPublicPort(configured.host, configured.port);
      if (predecessor === undefined) {
        await assertApiPorts(configured);
        await publicPort.hold(starting);
      } else assertSameAddress(predecessor, configured);
      await checkHost(configured, log);
      const settings = { ...configured, chains: await run("checkChains", configured.chains) };

      const { databaseUrl, databaseReadUrl, databaseSqlUrl, dataDir } = settings;
      const embedded =
        databaseUrl === undefined
          ? await supervisor.adopt("Postgres", (context) =>
              startPostgres({ dataDir: path.resolve(dataDir, "postgres"), log, ...context }),
            )
          : undefined;
      const served: DatabaseUrls = embedded ?? {
        url: databaseUrl ?? "",
        readUrl: databaseReadUrl,
        sqlUrl: databaseSqlUrl,
      };
      // Only these: what else it has can't be sent to the process that runs the task.
      await run("prepareDatabase", { url: served.url, readUrl: served.readUrl }, "start");
      return { settings, publicPort, embedded, served };
    });
    const { host, port, dataDir, chains } = settings;
    const replaced = new AbortController();
    const signal = AbortSignal.any([supervisor.signal, replaced.signal]);
    const { url: database, readUrl } = served;
    const schema =
      predecessor === undefined
        ? await chooseSchema({ url: database, settings, log })
        : await chooseNextSchema({ url: database, settings }, predecessor);
    await prepareReads({ url: database, readUrl, schema, log });
    const otherRows = await onConnection(database, (client) => describeOtherRows(client, schema));
    if (otherRows !== undefined) log(otherRows);

    let indexer: RestartingProcess | undefined;
    const lock = createSchemaLock({
      url: database,
      schema,
      signal,
      onLost() {
        log(
          "the database closed the connection, or is silent: restarting the indexer from what the database still has",
          "warn",
        );
        indexer?.restart();
      },
    });
    const { acquire } = lock;
    const isStandby = predecessor === undefined && !(await lock.tryAcquire());
    if (predecessor !== undefined) await acquire();

    const onWait = () => {
      // The running version serves.
      if (predecessor === undefined) void publicPort.hold(awaitingFeeds);
    };
    let priceFeeds: ChosenFeeds = new Map();
    let isWaiting = predecessor !== undefined;
    const history = createHistoryWatch();

    /** Does what is left until the indexer runs. Throws a StartError with the code "in-use" if another process has taken the lock meanwhile. */
    async function begin(): Promise<RestartingProcess> {
      if (isStandby && !(await lock.tryAcquire())) {
        await standBy({
          supervisor,
          settings,
          schema,
          lock,
          publicPort,
          database: served,
          // What it warns of was logged when the schema was chosen first.
          chooseSchema: () => chooseSchema({ url: database, settings, log: ignore }),
        });
      }
      if (chains.some((chain) => chain.priceFeeds.length > 0)) {
        priceFeeds = await withStartTasks({ signal, onWait }, (run) =>
          run("chooseFeeds", { chains, databaseUrl: database, schema }),
        );
      }
      if (predecessor === undefined) await publicPort.hold(starting);
      // The lock may have been lost while the feeds were being chosen.
      await acquire();
      if (predecessor === undefined) await publishFirstSchema(database, schema);
      // Only the running version writes the stream's journal until the switch.
      else await onConnection(database, (client) => pauseJournal(client, schema));
      return await startService(supervisor, settings, served, {
        command: "start",
        schema,
        publicPort,
        priceFeeds,
        env: { [terminalVariable]: process.stdout.isTTY ? "on" : "off" },
        onLine(line) {
          history.onLine(line);
          if (line.includes("was previously used by a different Ponder app"))
            log(predecessor === undefined ? changedApp : changedUpgrade(schema), "error");
        },
        prepare: acquire,
        isWaiting: () => isWaiting,
      });
    }

    indexer = isStandby
      ? await lookUntil(begin, { everyMs: standbyMs, what: "standing by", signal, isFinal: endsStandby })
      : await begin();
    // It needs the lock, which may have been lost when there was no indexer yet to restart.
    if (!lock.isHeld()) indexer.restart();
    const resolve = (chain: FeedChain) => withStartTasks({ signal }, (run) => run("resolveFeeds", chain));
    void watchFeeds({ chains, chosen: priceFeeds, schema, signal, log, resolve });
    if (predecessor !== undefined) {
      const onSwitched = () => {
        isWaiting = false;
        upgrading.abort();
      };
      await takeOver({
        indexer,
        predecessor,
        url: database,
        schema,
        signal,
        log,
        readHistory: history.read,
        onSwitched,
      });
    }
    // Only now is this version's index the live one, which the views must follow.
    const onDatabase = keepConnection(database, signal);
    void followIndex({ onDatabase, schema, signal, log });
    const { minuteCandlesDays: days } = settings;
    if (days !== undefined) void dropMinuteCandles({ onDatabase, schema, days, signal, log });
    await offerUpgrades({
      supervisor,
      indexer,
      publicPort,
      environment,
      port,
      host,
      dataDir,
      postgresFolder:
        embedded === undefined ? predecessor?.postgresFolder : path.resolve(dataDir, "postgres"),
      schema,
      log,
      url: database,
      onDatabase,
      readUrl,
      sqlUrl: served.sqlUrl,
      leaveSchema: () => replaced.abort(),
    });
    log(`The API is at ${localUrl(host, port)}/api, and /ready answers 200 once everything is indexed.`);
    log(
      embedded === undefined
        ? `Analysts read the schema launchpad of this database as the role ${analystRole} (docs/analysts.md).`
        : `The embedded Postgres:\n  to read only: ${withoutPassword(embedded.analystUrl)}\n  its password: ${embedded.analystPasswordFile}\n  password of its owner launchpad: ${embedded.ownerPasswordFile}`,
    );
    collectGarbage();
  }),
);

function withoutPassword(url: string): string {
  return Object.assign(new URL(url), { password: "" }).href;
}
