import { drizzle } from "drizzle-orm/node-postgres";
import fc from "fast-check";
import pg from "pg";
import { beforeEach, expect, inject, test } from "vitest";
import { statement } from "../../../offchain/connection.ts";
import { importFromPonder } from "../edits/edit-ponder.ts";
import { storedTablesForTests } from "./fixtures/stored-tables.ts";
import {
  createTriggers,
  finalizeMultichain,
  keepTriggers,
  noteRestart,
  noteRevert,
  setCheckpoint,
} from "./reorg-log.ts";

const tables = storedTablesForTests();
let schema: string;

beforeEach(async () => {
  const { client } = tables;
  const { rows } = await client.query("select current_schema() as schema");
  schema = rows[0].schema;
  await client.query(`
    drop table if exists _reorg__member, _reorg__balance, _reorg__happening, _ponder_checkpoint, _ponder_meta cascade;
    drop sequence if exists operation_id;
    create sequence operation_id as integer;
    create table _reorg__member (
      account text, operation int, checkpoint text, operation_id int default nextval('operation_id')
    );
    create table _ponder_checkpoint (chain_id int, latest_checkpoint text);
    insert into _ponder_checkpoint values (56, '0');
    create table _ponder_meta (key text, value jsonb);
    insert into _ponder_meta values ('app', '{}');
  `);
});

async function inBlock(checkpoint: string, changes: string): Promise<void> {
  await tables.client.query("begin");
  await setCheckpoint(tables.qb, checkpoint);
  await tables.client.query(`${changes}; commit`);
}

async function logged(): Promise<unknown[][]> {
  const { rows } = await tables.client.query(
    "select account, operation, checkpoint from _reorg__member order by operation_id",
  );
  return rows.map(Object.values);
}

test("a live block's changes are copied with its checkpoint: new rows of an insert, else previous ones", async () => {
  await createTriggers(tables.qb, { tables: [tables.member] });
  await inBlock("7", "insert into member values ('a'), ('b')");
  await inBlock("8", "update member set account = 'c' where account = 'a'");
  await inBlock("9", "delete from member where account = 'b'");
  expect(await logged()).toEqual([
    ["a", 0, "7"],
    ["b", 0, "7"],
    ["a", 1, "8"],
    ["b", 2, "9"],
  ]);
});

test("nothing else is copied: not what a backfill, a restart or a reorg writes", async () => {
  await createTriggers(tables.qb, { tables: [tables.member] });
  await inBlock("7", "insert into member values ('a')");
  // The setting is '' now, where it was unset before.
  await tables.client.query("delete from member");
  expect(await logged()).toEqual([["a", 0, "7"]]);
});

test("each block is announced", async () => {
  await createTriggers(tables.qb, { tables: [tables.member] });
  const { client } = tables;
  const announced = new Promise<pg.Notification>((resolve) => client.once("notification", resolve));
  await client.query(statement`listen ${`${schema}_live_query`}`);
  await client.query("update _ponder_checkpoint set latest_checkpoint = '7'");
  expect((await announced).channel).toBe(`${schema}_live_query`);
});

test("triggers of an earlier version are kept with new functions, while somebody reads the tables", async () => {
  const { client, qb, member } = tables;
  await createTriggers(qb, { tables: [member] });
  // It copied whatever was written, and noted the table in a temporary one, which is not created any more.
  await client.query(`
    create or replace function operation_reorg__member() returns trigger language plpgsql
      as $$ begin insert into _reorg__member values ('old'); return null; end $$;
    create or replace function live_query() returns trigger language plpgsql
      as $$ begin insert into live_query_tables values (tg_table_name); return null; end $$;
    create trigger live_query after insert on member for each statement execute function live_query();
  `);
  const reader = new pg.Client({ connectionString: inject("postgresUrl") });
  await reader.connect();
  try {
    await reader.query(statement`begin; select from ${schema}.member`);
    await keepTriggers(qb, { tables: [member] });
  } finally {
    await reader.end();
  }
  await client.query("insert into member values ('a')");
  await inBlock("8", "insert into member values ('b')");
  expect(await logged()).toEqual([["b", 0, "8"]]);
});

const chains = [56, 97];
/** As Ponder writes it: time, chain, block, transaction, kind and index of an event. */
const checkpointAt = (chainId: number, block: number) =>
  [String(1_700_000_000 + block), ...[chainId, block, 0].map((part) => String(part).padStart(16, "0"))].join(
    "",
  ) + "0".repeat(17);

test("a final block leaves in the log, and as the safe block, what Ponder's own statements leave", async () => {
  const { client, qb, balance, happening } = tables;
  const columns =
    "chain_id int, operation_id int default nextval('operation_id'), operation int, checkpoint text";
  await client.query(`
    create table _reorg__balance (${columns}); create table _reorg__happening (${columns});
    drop table _ponder_checkpoint;
    create table _ponder_checkpoint (chain_name text, chain_id int8, safe_checkpoint text, latest_checkpoint text, finalized_checkpoint text);
  `);
  const actions = await importFromPonder("ponder", "dist/esm/database/actions.js");
  const database = drizzle(client, { casing: "snake_case" });
  const ofPonder = {
    wrap: (work: (db: typeof database) => unknown) => work(database),
    transaction: (_: unknown, work: (tx: unknown) => unknown) => work(ofPonder),
  };
  const ours = {
    ...qb,
    transaction: async (...[, work]: unknown[]) => await (work as (tx: unknown) => unknown)(ours),
  };

  const state = async () => {
    const { rows } = await client.query(`
      select 'balance' as part, operation_id::text as entry from _reorg__balance union all
      select 'happening', operation_id::text from _reorg__happening union all
      select chain_id::text, concat_ws(' ', safe_checkpoint, latest_checkpoint, finalized_checkpoint) from _ponder_checkpoint
      order by 1, 2`);
    return rows;
  };
  const entry = fc.record({
    table: fc.constantFrom("balance", "happening"),
    chainId: fc.constantFrom(...chains),
    block: fc.integer({ min: 1, max: 9 }),
  });
  const block = fc.integer({ min: 0, max: 10 });
  const logAndBlocks = fc.record({
    entries: fc.array(entry, { maxLength: 12 }),
    chainId: fc.constantFrom(...chains),
    finalBefore: block,
    final: block,
  });

  await fc.assert(
    fc.asyncProperty(logAndBlocks, async ({ entries, chainId, finalBefore, final }) => {
      const options = {
        checkpoint: checkpointAt(chainId, final),
        tables: [balance, happening],
        namespaceBuild: { schema },
      };
      /** What is left of the log once this is done, and the checkpoints. The tables are as before then. */
      async function after(finalize: () => Promise<void>) {
        await client.query("begin");
        try {
          for (const chain of chains)
            await client.query("insert into _ponder_checkpoint values ('', $1, '0', '0', $2)", [
              chain,
              checkpointAt(chain, finalBefore),
            ]);
          for (const [index, { table, chainId, block }] of entries.entries())
            await client.query(`insert into _reorg__${table} values ($1, $2, 1, $3)`, [
              chainId,
              index,
              checkpointAt(chainId, block),
            ]);
          await finalize();
          return await state();
        } finally {
          await client.query("rollback");
        }
      }
      const left = await after(() => finalizeMultichain(ours, options, undefined));
      expect(left).toEqual(await after(() => actions.finalizeMultichain(ofPonder, options)));
    }),
    { numRuns: 60 },
  );
});

test("a reorg leaves the checkpoints' rows as they are, and says which transaction had written them", async () => {
  const { rows } = await tables.client.query("select xmin::text from _ponder_checkpoint");
  await noteRevert(tables.qb, [tables.member]);
  const after = await tables.client.query(
    "select xmin::text, (select value -> 'reverted' ->> '56' from _ponder_meta) as reverted from _ponder_checkpoint",
  );
  expect(after.rows).toEqual([{ xmin: rows[0].xmin, reverted: rows[0].xmin }]);
});

test("a restart is noticed by whoever compares the checkpoints' rows, and says which transaction reverted", async () => {
  const versions = "select chain_id::text, xmin::text from _ponder_checkpoint";
  const { rows: before } = await tables.client.query(versions);
  await noteRestart(tables.qb, [tables.member]);
  const { rows: after } = await tables.client.query(versions);
  expect(after[0].xmin).not.toBe(before[0].xmin);
  const { rows } = await tables.client.query("select value -> 'reverted' as reverted from _ponder_meta");
  expect(rows).toEqual([{ reverted: { 56: after[0].xmin } }]);
});

test("a restart numbers the log's entries from one again", async () => {
  const { client, qb, member } = tables;
  await createTriggers(qb, { tables: [member] });
  await client.query("select setval('operation_id', 2147483647)");
  await expect(inBlock("7", "insert into member values ('a')")).rejects.toThrow(
    "reached maximum value of sequence",
  );
  await client.query("rollback");
  await noteRestart(qb, [member]);
  await inBlock("7", "insert into member values ('a')");
  const { rows } = await client.query("select operation_id from _reorg__member");
  expect(rows).toEqual([{ operation_id: 1 }]);
});
