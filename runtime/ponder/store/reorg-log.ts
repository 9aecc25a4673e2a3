import { is } from "drizzle-orm";
import { getTableConfig, type PgTable, PgTransaction } from "drizzle-orm/pg-core";
import pg from "pg";
import { checkpointChain } from "../../../config/parse.ts";
import { statement } from "../../../offchain/connection.ts";
import type { Transactions } from "./commits.ts";
import type { QueryBuilder } from "./ponder-types.ts";
import { type StoredTable, storedTable } from "./table-columns.ts";

/*
 * Stands in for functions of Ponder's `database/actions.js`, with their parameters.
 *
 * What Postgres does with each live block: it logs previous rows, for a reorg to restore, and notifies listeners. Ponder's own
 * triggers copied each row by itself, wrote each copy a second time with its block, and noted each row's table in a temporary table
 * per block, for a kind of query that this service doesn't have. And it dropped triggers and indexes in a reorg and at a restart,
 * for which it had to wait for each transaction that had read the table, while each new reader waited behind it. These stay.
 */

/** The setting of a live block's transaction that holds its checkpoint. */
const setting = "ponder.checkpoint";
const checkpoint = `current_setting('${setting}', true)`;

/** For each statement on a table, the trigger's name, the rows that it copies, and the number by which Ponder knows the operation. */
const triggers = [
  { name: "reorg", on: "insert", rows: "new_rows", are: "new table", operation: 0 },
  { name: "reorg_update", on: "update", rows: "old_rows", are: "old table", operation: 1 },
  { name: "reorg_delete", on: "delete", rows: "old_rows", are: "old table", operation: 2 },
];

type Tables = { tables: PgTable[] };

/** Stands in for what Ponder does to its triggers and their log, and what ours need not. */
export async function notNeeded(): Promise<void> {}

/** Creates the triggers at the end of a backfill. Ponder calls it in each reorg too, through which ours stay. */
export async function createTriggers(qb: QueryBuilder, { tables }: Tables): Promise<void> {
  if (is(qb, PgTransaction)) return;
  const { checkpoints, notifyFunction, ofTable } = namesIn(schemaOf(tables));
  const stored = tables.map(storedTable);
  await run(qb, [
    ...functions(schemaOf(tables), stored),
    `create or replace trigger live_query_notify after insert or update or delete on ${checkpoints}
     for each statement execute function ${notifyFunction}`,
    // Only a trigger for a single kind of statement can refer to the rows that it changed.
    ...stored.flatMap((table) =>
      triggers.map(
        ({ name, on, rows, are }) =>
          `create or replace trigger ${name} after ${on} on ${table.sqlName} referencing ${are} as ${rows}
           for each statement execute function ${ofTable(table).copyFunction}`,
      ),
    ),
  ]);
}

/** At a restart, replaces the functions of triggers that an earlier version has created. That waits for nobody. */
export async function keepTriggers(tx: QueryBuilder, { tables }: Tables): Promise<void> {
  await run(tx, functions(schemaOf(tables), tables.map(storedTable)));
}

/** Begins a live block: what the transaction writes from here on is logged with its checkpoint. */
export async function setCheckpoint(tx: QueryBuilder, value: string): Promise<void> {
  await run(tx, [`set local ${setting} = ${pg.escapeLiteral(value)}`]);
}

/**
 * Notes that rows were reverted, and which transaction had last written each chain's checkpoint: until another one does, the chain's
 * tables lack blocks that its checkpoint includes. `isReorganizing` in `src/api/` reads it.
 */
export async function noteRevert(tx: QueryBuilder, tables: PgTable[]): Promise<void> {
  const schema = schemaOf(tables);
  await run(tx, [
    statement`update ${schema}._ponder_meta set value = jsonb_set(value, '{reverted}', (
      select coalesce(jsonb_object_agg(chain_id, xmin::text), '{}') from ${schema}._ponder_checkpoint))
      where key = 'app'`,
  ]);
}

/**
 * A start has reverted the tables to what is final. An indexer that is still alive must notice: it compares the checkpoints' rows. The
 * log is empty, and its entries are numbered from one again: the numbers have 31 bits, and the largest chains use as many in some months.
 */
export async function noteRestart(tx: QueryBuilder, tables: PgTable[]): Promise<void> {
  const schema = schemaOf(tables);
  await run(tx, [
    statement`update ${schema}._ponder_checkpoint set chain_id = chain_id`,
    statement`alter sequence ${schema}.operation_id restart`,
  ]);
  await noteRevert(tx, tables);
}

/** The largest number of an entry of the log. */
const maxEntry = 2 ** 31 - 1;

/**
 * Notes a chain's last final block, and deletes what no reorg restores any more: the log up to the first entry of a block that is not
 * final, of whichever chain.
 */
export async function finalizeMultichain(
  qb: Transactions,
  { checkpoint, tables }: Tables & { checkpoint: string },
  context: unknown,
): Promise<void> {
  const { checkpoints, ofTable } = namesIn(schemaOf(tables));
  const logs = tables.map((table) => ofTable(storedTable(table)).log);
  const all = (selects: string[]) => `(${selects.join(" union all ")}) logs`;
  const firstKept = logs.map(
    (log) =>
      `select min(operation_id) as entry from ${log} join ${checkpoints} using (chain_id) where checkpoint > finalized_checkpoint`,
  );
  const deletions = logs.map(
    (log, index) =>
      `deleted_${index} as (delete from ${log} where operation_id < (table kept) returning chain_id, checkpoint)`,
  );
  const deleted = logs.map((_, index) => `table deleted_${index}`);
  const work = (tx: QueryBuilder) =>
    run(tx, [
      `update ${checkpoints} set finalized_checkpoint = ${pg.escapeLiteral(checkpoint)}
        where chain_id = ${checkpointChain(checkpoint)}`,
      `with kept as (select coalesce(min(entry), ${maxEntry}) from ${all(firstKept)}), ${deletions.join(", ")}
        update ${checkpoints} at set safe_checkpoint = safe.checkpoint
        from (select chain_id, max(checkpoint) as checkpoint from ${all(deleted)} group by chain_id) safe
        where safe.chain_id = at.chain_id`,
    ]);
  await qb.transaction({ label: "finalize" }, work, undefined, context);
}

/** All tables are in one schema. */
const schemaOf = ([table]: PgTable[]): string =>
  (table === undefined ? undefined : getTableConfig(table).schema) ?? "public";

function functions(schema: string, tables: StoredTable[]): string[] {
  const { notifyFunction, tableFunction, ofTable } = namesIn(schema);
  const define = (name: string, body: string) =>
    `create or replace function ${name} returns trigger language plpgsql as $$ begin ${body} return null; end $$`;
  const channel = pg.escapeLiteral(`${schema}_live_query`);
  return [
    define(notifyFunction, `perform pg_notify(${channel}, '');`),
    // Earlier versions had triggers that called it for each table.
    define(tableFunction, ""),
    ...tables.map((table) => {
      const { log, copyFunction } = ofTable(table);
      const columns = table.columns.map(({ sqlName }) => sqlName).join(", ");
      const copies = triggers.map(
        ({ on, rows, operation }) =>
          `if tg_op = '${on.toUpperCase()}' then
            insert into ${log} (${columns}, operation, checkpoint)
            select ${columns}, ${operation}, ${checkpoint} from ${rows};
          end if;`,
      );
      // Only a live block has a checkpoint. What a reorg, a restart or a backfill writes is not to be reverted.
      return define(copyFunction, `if ${checkpoint} <> '' then ${copies.join(" ")} end if;`);
    }),
  ];
}

/** The names that Ponder gives what it creates in a schema. */
function namesIn(schema: string) {
  const quoted = pg.escapeIdentifier(schema);
  return {
    checkpoints: `${quoted}._ponder_checkpoint`,
    notifyFunction: `${quoted}.live_query_notify()`,
    tableFunction: `${quoted}.live_query()`,
    ofTable: ({ name }: StoredTable) => ({
      log: `${quoted}.${pg.escapeIdentifier(`_reorg__${name}`)}`,
      copyFunction: `${quoted}.${pg.escapeIdentifier(`operation_reorg__${name}`)}()`,
    }),
  };
}

/** Runs statements in one message, and thus in one transaction. */
async function run(qb: QueryBuilder, statements: string[]): Promise<void> {
  await qb.wrap({ label: "reorg_log" }, () => qb.$client.query({ text: statements.join(";\n") }));
}
