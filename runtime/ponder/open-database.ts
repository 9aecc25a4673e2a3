import { randomUUID } from "node:crypto";
import type { PgTable } from "drizzle-orm/pg-core";
import { statement } from "../../offchain/connection.ts";
import { rowsVersion } from "./rows-version.ts";
import { type Migrate, migrateOnceAnswered } from "./serve-first.ts";
import { openCommits, type Transactions } from "./store/commits.ts";
import type { QueryBuilder, UserError } from "./store/ponder-types.ts";
import { noteRestart } from "./store/reorg-log.ts";
import { tablesOf } from "./store/table-columns.ts";

type Options = {
  common: {
    options: { databaseHeartbeatInterval: number };
    logger: Record<"error" | "warn", (entry: Record<string, unknown>) => void>;
    shutdown: { isKilled: boolean; add(callback: () => void): void };
  };
  namespace: { schema: string };
  schemaBuild: { schema: Record<string, unknown>; statements: { indexes: object } };
};

type PonderDatabase = { adminQB: Transactions; userQB: Transactions; migrate: Migrate };

/** Milliseconds between signs of life, as in Ponder. */
const beatMs = 10_000;

/** The longest interval of a timer, in milliseconds. */
const never = 2 ** 31 - 1;

/**
 * Opens Ponder's database, and changes what its `migrate` does at a start: indexes stay, the start is noted, the indexer's transactions
 * count once, signs of life have Postgres' time, and it may come after the API: see `serve-first.ts`.
 */
export function openDatabase(
  open: (options: Options) => PonderDatabase,
  options: Options,
  NonRetryableUserError: UserError,
) {
  const { common, namespace, schemaBuild } = options;
  const { schema } = namespace;
  const tables = tablesOf(schemaBuild.schema);
  common.options.databaseHeartbeatInterval = never;
  // Those that Ponder drops at a restart.
  const indexes = { ...schemaBuild.statements.indexes, json: [] };
  const statements = { ...schemaBuild.statements, indexes };
  const database = open({ ...options, schemaBuild: { ...schemaBuild, statements } });
  const { adminQB } = database;
  const userQB: Transactions = Object.create(database.userQB);
  noteStarts(adminQB, schema, tables);

  async function migrate(migration: Parameters<Migrate>[0]): Promise<unknown> {
    const checkpoints = await database.migrate(migration);
    const { logger } = common;
    const commits = await openCommits({ qb: database.userQB, schema, logger, NonRetryableUserError });
    userQB.transaction = commits.transaction;
    await giveSignsOfLife(adminQB, schema, common);
    return checkpoints;
  }

  const readBuildId = async () => (await readApp(adminQB, schema))?.build_id;
  return { ...database, userQB, ...migrateOnceAnswered(migrate, readBuildId) };
}

/** What Ponder and this file record of an index. */
type App = { build_id: string; is_dev: number; rows_version?: number };

/** Reads what is recorded of the schema's index; undefined if there is none. */
async function readApp(qb: QueryBuilder, schema: string): Promise<App | undefined> {
  const query = async (text: string, values: unknown[] = []) =>
    await qb.wrap({ label: "read_app" }, () => qb.$client.query({ text, values }));
  const { rows } = await query("select to_regclass($1) is not null as exists", [
    statement`${schema}._ponder_meta`,
  ]);
  if (!rows[0]?.exists) return undefined;
  const result = await query(statement`select value from ${schema}._ponder_meta where key = 'app'`);
  return result.rows[0]?.value as App | undefined;
}

/** Records, in the transaction in which Ponder takes over a schema, which start this is, and that rows were reverted. */
function noteStarts(adminQB: Transactions, schema: string, tables: PgTable[]): void {
  const { transaction } = adminQB;
  type Work = (tx: QueryBuilder) => Promise<{ status: string; crashRecoveryCheckpoint?: unknown }>;
  adminQB.transaction = async (labels, work, ...rest) => {
    if ((labels as { label?: string }).label !== "migrate") return await transaction(labels, work, ...rest);
    return await transaction(labels, async (tx: QueryBuilder) => {
      const earlier = await readApp(tx, schema);
      const result = await (work as Work)(tx);
      if (result.status !== "success") return result;
      // At a restart the rows stay, and so does the version that they were written by.
      const version = earlier?.is_dev === 0 ? earlier.rows_version : rowsVersion;
      const noted = JSON.stringify({ started: randomUUID(), rows_version: version });
      const text = statement`update ${schema}._ponder_meta set value = value || $1 where key = 'app'`;
      await tx.wrap({ label: "note_start" }, () => tx.$client.query({ text, values: [noted] }));
      if (result.crashRecoveryCheckpoint !== undefined) await noteRestart(tx, tables);
      return result;
    });
  };
}

/** Gives signs of life in Postgres' time, in which others see how old they are: the clocks of machines differ. */
async function giveSignsOfLife(
  qb: QueryBuilder,
  schema: string,
  { logger, shutdown }: Options["common"],
): Promise<void> {
  const text = statement`update ${schema}._ponder_meta set value =
    jsonb_set(value, '{heartbeat_at}', to_jsonb(floor(extract(epoch from clock_timestamp()) * 1000)))`;
  async function beat(): Promise<void> {
    try {
      await qb.wrap({ label: "update_heartbeat" }, () => qb.$client.query({ text }));
    } catch (error) {
      if (!shutdown.isKilled) logger.error({ msg: "Failed to update heartbeat timestamp", error });
    }
  }
  const timer = setInterval(beat, beatMs);
  shutdown.add(() => clearInterval(timer));
  // At once, since the start itself has noted the machine's time.
  await beat();
}
