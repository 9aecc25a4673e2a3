import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../test/run/long-run.ts";
import { seed } from "../../../test/run/seed.ts";
import { storedTablesForTests, UserError } from "./fixtures/stored-tables.ts";
import type { Row } from "./ponder-types.ts";

const tables = storedTablesForTests();

// Keys as a handler may write them. The same objects recur, because a handler uses one for several calls, and so do equal ones.
const accounts = ["0xaa", "0xab", "0xac", "0xad", "0xba", "0xAB", "0xBA"];
const keys = [56, 97].flatMap((chainId) => accounts.map((account) => ({ chainId, account })));
const key = fc
  .tuple(fc.constantFrom(...keys), fc.boolean())
  .map(([known, isCopy]) => (isCopy ? { ...known } : known));
const bigint = fc.oneof(fc.bigInt({ min: -(10n ** 77n), max: 10n ** 77n }), fc.constant(2n ** 256n - 1n));
const values = fc.record({
  amount: fc.option(bigint),
  note: fc.option(
    fc.string({ unit: fc.constantFrom("\\", "\t", "\n", '"', "{", "}", ",", "N", "é", "🚀", " ") }),
  ),
  side: fc.constantFrom("buy", "sell"),
  isFinal: fc.boolean(),
  share: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  time: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
});
const some = fc.record({ amount: fc.option(bigint), note: fc.constantFrom(undefined, null, "a") });

const action = fc.oneof(
  fc.record({ does: fc.constantFrom("insert", "insertOrIgnore", "insertOrUpdate"), key, values, some }),
  fc.record({ does: fc.constant("find"), key }),
  fc.record({ does: fc.constant("update"), key, some }),
  fc.record({ does: fc.constantFrom("predict", "together"), keys: fc.array(key, { maxLength: 6 }), values }),
  fc.record({ does: fc.constantFrom("commit", "rollBack", "restart", "invalidate") }),
) as fc.Arbitrary<{ does: string; key: Row; values: Row; some: Row; keys: Row[] }>;

const exact = (row: Row): Row => ({ ...row, account: String(row.account).toLowerCase() });
const textOf = ({ chainId, account }: Row) => `${chainId} ${String(account).toLowerCase()}`;
const defined = (row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

/** A model of what a store must do. */
function createModel() {
  let committed = new Map<string, Row>();
  let rows = new Map<string, Row>();
  const change = (row: Row, some: Row): Row => {
    const changed = { ...row, ...defined(some) };
    rows.set(textOf(row), changed);
    return changed;
  };
  const insert = (given: Row): Row => {
    rows.set(textOf(given), exact(given));
    return exact(given);
  };
  return {
    find: (key: Row) => rows.get(textOf(key)) ?? null,
    change,
    insert,
    commit: () => {
      committed = new Map(rows);
    },
    rollBack: () => {
      rows = new Map(committed);
    },
    rows: () => [...rows.values()],
  };
}

async function rowsInPostgres(): Promise<Row[]> {
  const { rows } = await tables.client.query("select * from balance order by chain_id, account");
  return rows.map(({ chain_id: chainId, is_final: isFinal, amount, time, ...row }) => ({
    ...row,
    chainId,
    isFinal,
    amount: amount === null ? null : BigInt(amount),
    time: time === null ? null : BigInt(time),
  }));
}

test("after any sequence of calls, the store returns what was written, and flushes it", async () => {
  const { balance, client } = tables;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 40, maxLength: 80 }), async (actions) => {
      await client.query("truncate balance");
      // So few that rows are evicted all the time.
      const few = { minCachedRows: 2 };
      let { cache, db } = tables.open({ ...few, isEmpty: true });
      const model = createModel();
      await client.query("begin");
      const commit = async () => {
        await cache.flush();
        await client.query("commit");
        await client.query("begin");
        model.commit();
      };

      for (const { does, key, keys, values, some } of actions) {
        const before = key === undefined ? null : model.find(key);
        if (does === "insert") {
          const inserted = db.insert(balance).values({ ...key, ...values });
          // insert() doesn't look the key up: a second row may fail at once, or when it is written.
          if (before === null) expect(await inserted).toEqual(model.insert({ ...key, ...values }));
        } else if (does === "insertOrIgnore") {
          const inserted = await db
            .insert(balance)
            .values({ ...key, ...values })
            .onConflictDoNothing();
          expect(inserted).toEqual(before === null ? model.insert({ ...key, ...values }) : null);
        } else if (does === "insertOrUpdate") {
          const change = (row: Row) => ({ ...some, time: row.time });
          const written = await db
            .insert(balance)
            .values({ ...key, ...values })
            .onConflictDoUpdate(change);
          expect(written).toEqual(
            before === null ? model.insert({ ...key, ...values }) : model.change(before, some),
          );
        } else if (does === "update") {
          const updated = db.update(balance, key).set(some);
          if (before === null) await expect(updated).rejects.toThrow(UserError);
          else expect(await updated).toEqual(model.change(before, some));
        } else if (does === "find") {
          expect(await db.find(balance, key)).toEqual(before);
        } else if (does === "together") {
          const change = ({ amount }: Row) => ({ amount: amount === null ? 1n : null });
          const given = keys.map((key) => ({ ...key, ...values }));
          const expected = given.map((row) => {
            const before = model.find(row);
            return before === null ? model.insert(row) : model.change(before, change(before));
          });
          expect(
            await Promise.all(given.map((row) => db.insert(balance).values(row).onConflictDoUpdate(change))),
          ).toEqual(expected);
        } else if (does === "predict") {
          await commit();
          const rowsRead = () => keys.map((key) => ({ table: balance, key }));
          await cache.prefetch({
            events: [{ chain: { id: 56 }, event: {}, eventCallback: { fn: { rowsRead } } }],
          });
        } else if (does === "commit") {
          await commit();
        } else if (does === "rollBack") {
          await client.query("rollback");
          await client.query("begin");
          cache.invalidate();
          cache.clear();
          model.rollBack();
        } else if (does === "invalidate") {
          cache.invalidate();
        } else {
          await commit();
          ({ cache, db } = tables.open(few));
        }
      }
      await commit();
      await client.query("commit");
      const expected = model.rows().toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
      expect(await rowsInPostgres()).toEqual(expected);
    }),
    { seed, numRuns: sized({ usual: 25, long: 300 }) },
  );
});
