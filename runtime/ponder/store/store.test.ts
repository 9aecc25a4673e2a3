import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import type { Peek } from "./cached-rows.ts";
import { storedTablesForTests, UserError } from "./fixtures/stored-tables.ts";
import type { IndexedEvent, QueryBuilder, Row, RowKey } from "./ponder-types.ts";
import { readRows } from "./read-rows.ts";
import { storedTable } from "./table-columns.ts";
import { writeRows } from "./write-rows.ts";

const tables = storedTablesForTests();

const rowOf = (account: string, amount: bigint): Row => ({
  chainId: 56,
  account,
  amount,
  note: null,
  time: null,
  side: "buy",
  isFinal: true,
  share: 0.5,
});
const keyOf = (account: string) => ({ chainId: 56, account });
const accountOf = (index: number) => `0x${index.toString(16).padStart(8, "0")}`;

/** An event whose handler predicts that it reads these rows. */
const eventReading = (rowsRead: (peek: Peek) => RowKey[]): IndexedEvent => ({
  chain: { id: 56 },
  event: {},
  eventCallback: { fn: { rowsRead: (_: object, __: number, peek: Peek) => rowsRead(peek) } },
});

async function amounts(): Promise<Map<string, bigint>> {
  const { rows } = await tables.client.query("select account, amount from balance");
  return new Map(rows.map(({ account, amount }) => [account, BigInt(amount)]));
}

test("thousands of rows are written and updated just as a few are", async () => {
  const { balance } = tables;
  const { db, cache } = tables.open({ isEmpty: true });
  const indexes = Array.from({ length: 5_000 }, (_, index) => index);
  for (const index of indexes) await db.insert(balance).values(rowOf(accountOf(index), BigInt(index)));
  await cache.flush();
  for (const index of indexes.slice(1_000)) {
    await db.update(balance, keyOf(accountOf(index))).set((row) => ({ amount: (row.amount as bigint) + 1n }));
  }
  await cache.flush();
  const expected = indexes.map((index) => [accountOf(index), BigInt(index) + (index < 1_000 ? 0n : 1n)]);
  expect(await amounts()).toEqual(new Map(expected as [string, bigint][]));
});

test("rows are found by the primary key, even where Postgres takes another index for as good", async () => {
  const { balance, client } = tables;
  const plans: string[] = [];
  const explaining = {
    wrap: async (_: object, query: () => unknown) => await query(),
    $client: {
      async query({ text, values }: { text: string; values: unknown[][] }) {
        const { rows } = await client.query(`explain ${text}`, values);
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
        return { rows: [], rowCount: values[0]?.length };
      },
    },
  } as unknown as QueryBuilder;
  // As on position: shorter, and without statistics Postgres believes that hardly any row has a given chain.
  await client.query(`create index short on balance (chain_id, "time")`);
  await client.query(
    `insert into balance select 56, '0x' || n, n, null, 'buy', true, 1, null from generate_series(1, 20000) n`,
  );
  const stored = storedTable(balance);
  const rows = Array.from({ length: 1_500 }, (_, index) => rowOf(accountOf(index), 1n));
  await readRows(explaining, stored, rows);
  await writeRows(explaining, { stored, inserts: [], updates: rows.map((row) => ({ row })) } as never);
  await client.query("drop index short");
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toContain("Index Scan using balance_pkey");
    expect(plan).not.toContain("using short");
  }
});

test("a row that is inserted and updated before the next flush is written once, and nothing twice", async () => {
  const { balance, statements } = tables;
  const { db, cache } = tables.open({ isEmpty: true });
  await db.insert(balance).values(rowOf("0xaa", 1n));
  await db.update(balance, keyOf("0xaa")).set({ amount: 2n });
  await db.insert(balance).values(rowOf("0xaa", 1n)).onConflictDoUpdate({ amount: 3n });
  const before = statements.length;
  await cache.flush();
  await cache.flush();
  expect(statements.slice(before)).toEqual([expect.stringMatching(/^insert into/)]);
  expect(await amounts()).toEqual(new Map([["0xaa", 3n]]));
});

test("the rows that handlers will read are loaded by one query per table, and missing ones are remembered", async () => {
  const { balance, happening, client, statements } = tables;
  await client.query(
    `insert into balance values (56, '0xaa', 1, null, 'buy', true, 0.5, null), (56, '0xab', 2, null, 'sell', false, 1, 7)`,
  );
  await client.query(`insert into happening values (56, 'first', '0xab')`);
  const { db, cache } = tables.open();
  const before = statements.length;
  await cache.prefetch({
    events: [
      eventReading(() => [
        { table: balance, key: keyOf("0xaa") },
        { table: balance, key: keyOf("0xAA") },
        { table: balance, key: keyOf("0xff") },
      ]),
      // Only the row has its account.
      eventReading((peek) => {
        const row = peek(happening, { chainId: 56, id: "first" });
        const key = { table: happening, key: { chainId: 56, id: "first" } };
        return row ? [key, { table: balance, key: keyOf(String(row.account)) }] : [key];
      }),
    ],
  });
  expect(statements.length - before).toBe(3);

  expect(await db.find(balance, keyOf("0xaa"))).toEqual(rowOf("0xaa", 1n));
  expect(await db.find(balance, keyOf("0xab"))).toMatchObject({
    amount: 2n,
    side: "sell",
    isFinal: false,
    share: 1,
    time: 7n,
  });
  expect(await db.find(balance, keyOf("0xff"))).toBeNull();
  await db.insert(balance).values(rowOf("0xff", 3n)).onConflictDoNothing();
  expect(statements.length - before).toBe(3);
});

test("a database that was empty isn't asked for rows, except those that are written once", async () => {
  const { balance, happening, statements } = tables;
  const { db, cache } = tables.open({ isEmpty: true });
  const event = { chainId: 56, id: "1", account: "0xaa" };
  const before = statements.length;
  await cache.prefetch({ events: [eventReading(() => [{ table: balance, key: keyOf("0xaa") }])] });
  expect(await db.find(balance, keyOf("0xaa"))).toBeNull();
  await db.insert(happening).values(event);
  expect(statements.length).toBe(before);
  await cache.flush();
  expect(await db.find(happening, { chainId: 56, id: "1" })).toEqual(event);
  expect(statements.length).toBe(before + 2);
});

test("rows that exceed the memory limit are evicted, and nothing is lost", async () => {
  const { balance, statements } = tables;
  const { db, cache } = tables.open({ isEmpty: true, indexingCacheMaxBytes: 10_000 });
  for (let index = 0; index < 100; index++) await db.insert(balance).values(rowOf(accountOf(index), 1n));
  await cache.flush();
  await cache.prefetch({ events: [] });
  const before = statements.length;
  await db.update(balance, keyOf(accountOf(7))).set({ amount: 2n });
  expect(statements.length).toBe(before + 1);
  await cache.flush();
  expect((await amounts()).get(accountOf(7))).toBe(2n);
});

test("a second row with the same key is refused by the store or by Postgres, and the rest of its batch with it", async () => {
  const { balance, client } = tables;
  const { db, cache } = tables.open();
  await db.insert(balance).values(rowOf("0xaa", 1n));
  await expect(db.insert(balance).values(rowOf("0xaa", 1n))).rejects.toThrow(
    "balance has a row of chainId 56, account 0xaa already.",
  );
  await cache.flush();
  const later = tables.open();
  await later.db.insert(balance).values(rowOf("0xaa", 2n));
  await later.db.insert(tables.happening).values({ chainId: 56, id: "1", account: "0xaa" });
  await client.query("begin");
  await expect(later.cache.flush()).rejects.toThrow(/duplicate key value/);
  await client.query("rollback");
  expect(await amounts()).toEqual(new Map([["0xaa", 1n]]));
  expect((await client.query("select from happening")).rowCount).toBe(0);
});

test("updating a row that consists of its key only changes nothing", async () => {
  const { member, client } = tables;
  const { db, cache } = tables.open({ isEmpty: true });
  const key = { account: "0xaa" };
  await db.insert(member).values(key);
  await cache.flush();
  await db.update(member, key).set({});
  await cache.flush();
  expect((await client.query("select * from member")).rows).toEqual([key]);
});

test("rolled back changes are forgotten, whatever was looked up last", async () => {
  const { balance } = tables;
  const { db, cache } = tables.open({ isEmpty: true });
  const key = keyOf("0xaa");
  await db.insert(balance).values(rowOf("0xaa", 1n));
  expect(await db.find(balance, key)).not.toBeNull();
  cache.clear();
  expect(await db.find(balance, key)).toBeNull();
});

test("the next attempt forgets what a transaction wrote that could not be committed", async () => {
  const { balance, client, qb } = tables;
  const { db, cache } = tables.open({ isEmpty: true });
  const count = async () => {
    await db
      .insert(balance)
      .values(rowOf("0xaa", 1n))
      .onConflictDoUpdate((row) => ({ amount: (row.amount as bigint) + 1n }));
    await cache.flush();
  };
  const database = drizzle(client);
  const attempt = (run: () => Promise<void>) =>
    database.transaction(async (tx) => {
      cache.qb = Object.assign(tx, { wrap: qb.wrap, $client: qb.$client });
      await run();
    });
  await cache.prefetch({ events: [] });
  // As if the connection was lost during the commit.
  const lost = attempt(async () => {
    await count();
    throw new Error("Connection terminated");
  });
  await expect(lost).rejects.toThrow("Connection terminated");
  await attempt(count);
  expect(await amounts()).toEqual(new Map([["0xaa", 1n]]));

  await cache.prefetch({ events: [] });
  await attempt(count);
  expect(await amounts()).toEqual(new Map([["0xaa", 2n]]));
});

test.each([1, 2_001])(
  "a batch fails if one of %i rows that it updates is missing in the table",
  async (count) => {
    const { balance, client } = tables;
    const { db, cache } = tables.open({ isEmpty: true });
    const keys = Array.from({ length: count }, (_, index) => keyOf(accountOf(index)));
    for (const { account } of keys) await db.insert(balance).values(rowOf(account, 1n));
    await cache.flush();
    await client.query("delete from balance where account = $1", [keys[0]?.account]);
    for (const key of keys) await db.update(balance, key).set({ amount: 2n });
    await expect(cache.flush()).rejects.toThrow(
      `of ${count} cached rows of balance, only ${count - 1} are in the table`,
    );
  },
);

test("a handler's mistakes are reported", async () => {
  const { balance } = tables;
  const { db, store, errors } = tables.open({ isEmpty: true });
  const key = keyOf("0xaa");
  await expect(db.update(balance, key).set({ amount: 1n })).rejects.toThrow(
    new UserError("balance has no row of chainId 56, account 0xaa to update."),
  );
  const { side, ...sideless } = rowOf("0xaa", 1n);
  await expect(db.insert(balance).values(sideless)).rejects.toThrow("balance needs a value for side.");
  await db.insert(balance).values({ ...sideless, side });
  await expect(db.update(balance, key).set({ side: null })).rejects.toThrow(
    "balance needs a value for side.",
  );
  await expect(db.update(balance, key).set({ account: "0xab" })).rejects.toThrow(
    "account is part of the key of balance: it can't change.",
  );
  expect(() => db.sql).toThrow("Handlers find, insert and update rows by primary key");
  expect(() => db.delete()).toThrow("No row is ever deleted");
  store.isProcessingEvents = false;
  expect(() => db.find(balance, key)).toThrow("await each call of it");
  expect(errors).toEqual([]);
});

test("if the database fails, the events are indexed again, even if the handler catches the error", async () => {
  const { balance, client } = tables;
  const { db, errors } = tables.open();
  await client.query("begin");
  await client.query("alter table balance rename to away");
  await expect(db.find(balance, keyOf("0xaa"))).rejects.toThrow(/does not exist/);
  await client.query("rollback");
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(/does not exist/) })]);
});
