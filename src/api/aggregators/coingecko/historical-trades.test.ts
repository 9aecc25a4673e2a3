import type pg from "pg";
import { expect, test } from "vitest";
import { openDatabase } from "../../database/database.ts";
import { readHistoricalTrades } from "./coingecko.query.ts";

/** A database whose counts say that the token has so many trades of a side. Returns the statements that it gets, and their values. */
function databaseWith(count: number) {
  const asked: { text: string; values: unknown[] }[] = [];
  const pool = {
    query({ text }: { text: string }, values: unknown[]) {
      asked.push({ text, values });
      return Promise.resolve({ rows: / as count$/.test(text) ? [{ count }] : [] });
    },
  };
  return { db: openDatabase(pool as unknown as pg.Pool), asked };
}

const query = { chainId: 56, mint: "0xaa", from: 5, to: 9, before: "9", limit: 500 };

test("trades of a side are sought until all that are counted are found, and not at all if there are none", async () => {
  const none = databaseWith(0);
  await readHistoricalTrades(none.db, { ...query, side: "sell" });
  expect(none.asked).toHaveLength(1);
  const few = databaseWith(3);
  await readHistoricalTrades(few.db, { ...query, side: "sell" });
  expect(few.asked.map(({ values }) => values.at(-1))).toEqual([expect.anything(), 3]);
  const many = databaseWith(1_000);
  await readHistoricalTrades(many.db, { ...query, side: "buy" });
  expect(many.asked.map(({ values }) => values.at(-1))).toEqual([expect.anything(), 500]);
  const both = databaseWith(0);
  await readHistoricalTrades(both.db, query);
  expect(both.asked.map(({ values }) => values.at(-1))).toEqual([500]);
});
