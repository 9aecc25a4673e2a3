// npm run serve: an additional process that serves requests from the database that `npm start` fills.

import path from "node:path";
import { ignore, pause, waitUntil } from "../config/async.ts";
import type { Environment } from "../config/env.ts";
import { keepConnection } from "../offchain/connection.ts";
import { assertApiPorts, checkHost, localUrl, noChainMessage } from "./checks/host.ts";
import { expectNoArguments } from "./command-line.ts";
import { log } from "./log/log.ts";
import { lookUntil } from "./look-until.ts";
import { isIndexed } from "./ponder/indexed-schemas.ts";
import { isReady } from "./ponder/ponder.ts";
import { type DatabaseUrls, findRunningPostgres } from "./postgres/database.ts";
import type { RestartingProcess } from "./process/child-process.ts";
import { collectGarbage, createSupervisor } from "./process/supervisor.ts";
import { createPublicPort, type PublicPort, starting } from "./public-port.ts";
import { readSettingsApart, withStartTasks } from "./run-start-tasks.ts";
import { serveSchema } from "./serve-schema.ts";
import { StartError } from "./start-error.ts";
import { chooseSchema } from "./upgrade/choose-schema.ts";
import { readSuccessor, takeTurn } from "./upgrade/repair.ts";

/** Milliseconds between looks for a first index, or for a repair of the schema that is served. */
const pollMs = 3_000;
/** Milliseconds for the API to answer its last requests after one, and for the next API to be ready. */
const stopMs = 8_000;
const readyMs = 60_000;

const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    expectNoArguments();
    const { settings, publicPort, served } = await withStartTasks(supervisor, async (run) => {
      const configured = await readSettingsApart(run);
      if (configured.chains.length === 0) throw new StartError(noChainMessage);
      await assertApiPorts(configured);
      const publicPort = createPublicPort(configured.host, configured.port);
      await publicPort.hold(starting);
      await checkHost(configured, log);
      const settings = { ...configured, chains: await run("checkChains", configured.chains) };
      const served = await findDatabase(settings);
      await run("prepareDatabase", { url: served.url, readUrl: served.readUrl }, "serve");
      return { settings, publicPort, served };
    });
    const { host, port } = settings;
    const database = served.url;

    const serve = (schema: string): Promise<RestartingProcess> =>
      serveSchema(supervisor, settings, served, schema, publicPort);

    let schema = await untilIndexed(settings, database, publicPort);
    let api = await serve(schema);
    collectGarbage();
    const { signal } = supervisor;
    const onDatabase = keepConnection(database, signal);
    // An unreachable database is reported by the API.
    const findSuccessor = () => onDatabase((client) => readSuccessor(client, schema)).catch(ignore);
    while (!signal.aborted) {
      await pause(pollMs, signal);
      if ((await findSuccessor()) === undefined) continue;
      // One after the other, so that behind a load balancer another process answers meanwhile.
      const endTurn = await takeTurn({ url: database, signal }).catch(ignore);
      if (endTurn === undefined) continue;
      const next = await findSuccessor();
      if (next !== undefined && !signal.aborted) {
        log(`The schema ${schema} has been repaired in the schema ${next}, which is served from now on.`);
        supervisor.dismiss(api);
        await api.stop({ timeoutMs: stopMs });
        schema = next;
        api = await serve(schema).catch(async () => {
          await publicPort.hold(starting).catch(ignore);
          const what = `changing to the schema ${next}`;
          return await lookUntil(() => serve(next), { everyMs: pollMs, what, signal });
        });
        const url = localUrl(host, port);
        await waitUntil(async () => signal.aborted || (await isReady(url)), { everyMs: 200, forMs: readyMs });
      }
      await endTurn();
    }
  }),
);

/** Throws a StartError if DATABASE_URL is not set and no `npm start` runs its own Postgres. */
async function findDatabase({
  databaseUrl,
  databaseReadUrl,
  databaseSqlUrl,
  dataDir,
}: Environment): Promise<DatabaseUrls> {
  if (databaseUrl !== undefined)
    return { url: databaseUrl, readUrl: databaseReadUrl, sqlUrl: databaseSqlUrl };
  const running = await findRunningPostgres(path.resolve(dataDir, "postgres"));
  if (running !== undefined) return running;
  throw new StartError(
    "there is no database to serve: set DATABASE_URL to the one of npm start, or run npm start first in this folder",
  );
}

/** Resolves to the schema to serve once something has been indexed into it: `npm start` may be about to begin. */
async function untilIndexed(settings: Environment, url: string, publicPort: PublicPort): Promise<string> {
  let schema = await chooseSchema({ url, settings, log });
  if (await isIndexed(url, schema)) return schema;
  log(
    `the schema ${schema} of this database has no index yet: waiting until npm start has begun one. If there is one under another name, set DATABASE_SCHEMA to that`,
    "warn",
  );
  await publicPort.hold({
    code: "not_indexed_yet",
    title: "Not indexed yet",
    detail: `Nothing is indexed into the schema ${schema} yet: npm start does that.`,
  });
  const { signal } = supervisor;
  const look = async () => {
    schema = await chooseSchema({ url, settings, log: ignore });
    return (await isIndexed(url, schema)) ? schema : undefined;
  };
  await lookUntil(look, { everyMs: pollMs, what: "waiting for an index", signal });
  await publicPort.hold(starting);
  return schema;
}
