// npm run serve: an additional process that serves requests from the database that `npm start` fills.
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { keepConnection } from "../offchain/connection.ts";
import { assertApiPorts } from "./checks/api-ports.ts";
import { checkChains } from "./checks/check-chains.ts";
import { connectionsWarning } from "./checks/connections.ts";
import { assertDataDir } from "./checks/data-dir.ts";
import { assertDenyList } from "./checks/deny-list.ts";
import { listenWarning, localUrl } from "./checks/listen-address.ts";
import { noChainMessage } from "./checks/no-chain.ts";
import { openFilesWarning } from "./checks/open-files.ts";
import { assertSessions } from "./checks/pooling.ts";
import { expectNoArguments } from "./command-line.ts";
import { log } from "./log/log.ts";
import { migrate } from "./migrate.ts";
import { isIndexed } from "./ponder/indexed.ts";
import { isReady } from "./ponder/ponder.ts";
import { findRunningPostgres } from "./postgres/running.ts";
import type { RestartingProcess } from "./process/keep-running.ts";
import { createSupervisor } from "./process/supervisor.ts";
import { serveSchema } from "./serve-schema.ts";
import { readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { chooseSchema } from "./upgrade/choose-schema.ts";
import { readSuccessor } from "./upgrade/repair.ts";
import { takeTurn } from "./upgrade/take-turn.ts";

/** Milliseconds between looks for a repair of the schema that is served. */
const pollMs = 3_000;
/** Milliseconds for the API to answer its last requests after one, and for the next API to be ready. */
const stopMs = 8_000;
const readyMs = 60_000;

/** The loop checks the signal itself. */
const endLoop = () => undefined;

const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    expectNoArguments();
    const settings = readSettings(log);
    const { host, port, databaseUrl, databaseReadUrl, dataDir } = settings;
    const { chains, moderationFile, trustedProxies } = settings;
    if (chains.length === 0) throw new StartError("failed", noChainMessage);
    await assertApiPorts(settings);
    await assertDataDir(dataDir);
    assertDenyList(moderationFile);
    for (const warning of [listenWarning(host, trustedProxies), openFilesWarning()]) {
      if (warning !== undefined) log(warning, "warn");
    }
    await checkChains(chains, log);

    const found =
      databaseUrl === undefined
        ? await findRunningPostgres(path.resolve(dataDir, "postgres"))
        : { url: databaseUrl, readUrl: databaseReadUrl, sqlUrl: settings.databaseSqlUrl };
    if (found === undefined) {
      throw new StartError(
        "failed",
        "there is no database to serve: set DATABASE_URL to the one of npm start, or run npm start first in this folder",
      );
    }
    const { url: database, readUrl, sqlUrl: sqlLogin } = found;
    await migrate(database, { log, signal: supervisor.signal });
    await assertSessions(database);
    const shortage = await connectionsWarning(database, "serve");
    if (shortage !== undefined) log(shortage);

    async function serve(schema: string): Promise<RestartingProcess> {
      await assertIndexed(database, schema);
      return await serveSchema(supervisor, settings, { url: database, readUrl, sqlUrl: sqlLogin }, schema);
    }

    let schema = await chooseSchema({ url: database, settings, log });
    let api = await serve(schema);
    const { signal } = supervisor;
    const onDatabase = keepConnection(database, signal);
    // An unreachable database is reported by the API.
    const findSuccessor = () => onDatabase((client) => readSuccessor(client, schema)).catch(endLoop);
    while (!signal.aborted) {
      await delay(pollMs, undefined, { signal }).catch(endLoop);
      if ((await findSuccessor()) === undefined) continue;
      // One after the other, so that behind a load balancer another process answers meanwhile.
      const endTurn = await takeTurn({ url: database, signal }).catch(endLoop);
      if (endTurn === undefined) continue;
      const next = await findSuccessor();
      if (next !== undefined && !signal.aborted) {
        log(`The schema ${schema} has been repaired in the schema ${next}, which is served from now on.`);
        supervisor.dismiss(api);
        await api.stop({ timeoutMs: stopMs });
        schema = next;
        api = await serve(schema);
        await untilReady(localUrl(host, port), AbortSignal.any([signal, AbortSignal.timeout(readyMs)]));
      }
      await endTurn();
    }
  }),
);

/** Resolves once the API is ready, or the signal aborts. */
async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isReady(url))) await delay(200, undefined, { signal }).catch(endLoop);
}

/** Throws a StartError if nothing has ever been indexed into the schema. */
async function assertIndexed(database: string, schema: string): Promise<void> {
  if (await isIndexed(database, schema)) return;
  throw new StartError(
    "failed",
    `the schema ${schema} of this database has no index: run npm start on it first, or set DATABASE_SCHEMA to the name that npm start uses`,
  );
}
