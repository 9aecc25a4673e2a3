import { existsSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { pause } from "../config/async.ts";
import { connectionOptions } from "../config/connection-options.ts";
import type { Environment } from "../config/env.ts";
import { reasonOf } from "../config/error-code.ts";
import { findLocalStack } from "../local/local-environment.ts";
import { onConnection, sessionSettings, tolerateLostConnections } from "../offchain/connection.ts";
import { readLiveSchemas } from "../offchain/live-schema.ts";
import { migrate } from "../runtime/checks/database.ts";
import { readIndexedNames } from "../runtime/ponder/indexed-schemas.ts";
import { findRunningPostgres } from "../runtime/postgres/database.ts";
import { startPostgres } from "../runtime/postgres/start-postgres.ts";
import type { Supervisor } from "../runtime/process/supervisor.ts";
import { StartError } from "../runtime/start-error.ts";
import { readSuccessor } from "../runtime/upgrade/repair.ts";

type OpenOptions = {
  /** Whether the database may be created. */
  mayBeNew?: boolean;
  /** Whether any role that may read the tables will do. Nothing is migrated then. */
  onlyReads?: boolean;
  /** Whether the command goes on for as long as `npm start` does, which could not start a Postgres that the command has started. */
  isFollowing?: boolean;
};

/**
 * Connects to the database of `npm start`: DATABASE_URL, or the embedded Postgres, which is started if it isn't running. Throws
 * a StartError if the database can't be reached, or if it doesn't exist and must not be created, or must not be started.
 */
export async function openDatabase(
  supervisor: Supervisor,
  settings: Environment,
  { mayBeNew = false, onlyReads = false, isFollowing = false }: OpenOptions = {},
): Promise<pg.Pool> {
  const dataDir = embeddedFolder(settings);
  if (settings.databaseUrl === undefined && !mayBeNew && !hasDatabase(dataDir)) {
    throw new StartError(
      `there is no database in ${dataDir}: set DATABASE_URL, or DATA_DIR to the folder that npm start uses (of npm run dev: its folder local)`,
    );
  }
  const running = settings.databaseUrl ?? (await findRunningPostgres(dataDir))?.url;
  if (running === undefined && isFollowing) {
    throw new StartError(
      `no Postgres runs in ${dataDir}: start npm start first, or npm run dev, whose index this command follows`,
    );
  }
  const url =
    running ?? (await supervisor.adopt("Postgres", (context) => startPostgres({ dataDir, ...context }))).url;
  if (!onlyReads) await migrate(url, { log: console.error, signal: supervisor.signal });
  const pool = new pg.Pool(
    connectionOptions({
      connectionString: url,
      // A sink copies, looks at what changes and writes live rows at once.
      max: 3,
      connectionTimeoutMillis: 30_000,
      application_name: "launchpad_tools",
      onConnect: (client) => client.query(beginSession),
    }),
  );
  void cutWhenSilent(pool, url, supervisor.signal);
  return tolerateLostConnections(pool);
}

/**
 * Milliseconds between two looks at a database, and for an answer to one; and how many in a row without one show that it is silent: a slow
 * disk may stop Postgres for seconds.
 */
const defaultLimits = { everyMs: 10_000, answerMs: 30_000, looks: 4 };

/**
 * Cuts a pool's connections while the database is silent, as when its disk hangs, and once the signal aborts: what is under way then
 * fails like with any lost connection, in place of waiting for ever. Statements may take as long as they need. Resolves once the signal
 * has aborted.
 */
export async function cutWhenSilent(
  pool: pg.Pool,
  url: string,
  signal: AbortSignal,
  { everyMs, answerMs, looks } = defaultLimits,
): Promise<void> {
  const clients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => void clients.add(client));
  pool.on("remove", (client) => void clients.delete(client));
  const cut = () => {
    for (const client of clients) (client as pg.PoolClient & pg.Client).connection.stream.destroy();
  };
  signal.addEventListener("abort", cut, { once: true });
  for (let silent = 0; ; ) {
    await pause(everyMs, signal);
    if (signal.aborted) return;
    const look = onConnection(url, (client) => client.query("select"), { answerMs });
    const problem = await look.then(() => "", reasonOf);
    // Any other failure is an answer, or one that the pool's connections have as well.
    silent = /^(Query read timeout|timeout expired)$/.test(problem) ? silent + 1 : 0;
    if (silent >= looks) cut();
  }
}

/** A connection is not among those that are cut before this is answered. */
const beginSession = { text: sessionSettings, query_timeout: defaultLimits.answerMs };

const embeddedFolder = ({ dataDir }: Environment) => path.resolve(dataDir, "postgres");
const hasDatabase = (folder: string) => existsSync(path.join(folder, "cluster"));

/** Returns the settings of the local stack (`npm run dev`) in DATA_DIR if they name no database and `npm start` has none there. */
export async function orLocalStack(settings: Environment): Promise<Environment> {
  if (settings.databaseUrl !== undefined || hasDatabase(embeddedFolder(settings))) return settings;
  return (await findLocalStack(settings)) ?? settings;
}

/**
 * Reads the schema that the service uses: DATABASE_SCHEMA if it is set and has not been repaired in another one, else the live one, else
 * the only one.
 */
export async function findSchema(
  pool: pg.Pool,
  { databaseSchema, isSchemaSet }: Environment,
): Promise<string> {
  // A role that only reads may not read the history of live schemas, nor that of repairs.
  if (isSchemaSet)
    return (await readSuccessor(pool, databaseSchema).catch(() => undefined)) ?? databaseSchema;
  const [live] = await readLiveSchemas(pool).catch(() => []);
  if (live !== undefined) return live.schema;
  const [only, ...others] = await readIndexedNames(pool);
  return only !== undefined && others.length === 0 ? only : databaseSchema;
}

/**
 * Throws a StartError once another schema has become the live one in place of this one. A schema that DATABASE_SCHEMA names stays in use
 * after an upgrade, but not after a repair.
 */
export async function assertNotReplaced(
  pool: Pick<pg.Pool, "query">,
  schema: string,
  { isSchemaSet }: Pick<Environment, "isSchemaSet">,
): Promise<void> {
  // A role that only reads may read neither.
  const successor = isSchemaSet ? readSuccessor(pool, schema) : readReplacement(pool, schema);
  const replacement = await successor.catch(() => undefined);
  if (replacement === undefined) return;
  throw new StartError(
    `the schema ${replacement} has replaced ${schema}, by an upgrade or a repair, and ${schema} gets no more blocks: start this command again, with an empty folder or database to export to`,
  );
}

/** Reads the live schema if it has become that after this one. */
async function readReplacement(pool: Pick<pg.Pool, "query">, schema: string): Promise<string | undefined> {
  const [live, ...earlier] = await readLiveSchemas(pool);
  if (live === undefined || live.schema === schema) return undefined;
  return earlier.some((was) => was.schema === schema) ? live.schema : undefined;
}
