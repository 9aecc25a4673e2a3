import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { createFinalBlocks } from "./watch-chain.ts";

async function startRecord() {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const record = async (numbers: number[]) => {
    for (const number of numbers) {
      const finalBlocks = createFinalBlocks(pool, 56);
      finalBlocks.record({ number, hash: `0x${number}` });
      await finalBlocks.stop();
    }
  };
  const store = (count: number) =>
    database.query(
      "insert into offchain.final_block (chain_id, number, hash) select 56, 7 * n, n from generate_series(1, $1) n",
      [count],
    );
  const numbers = async () => {
    const rows = await database.query<{ number: number }>(
      "select number::int from offchain.final_block order by number",
    );
    return rows.map(({ number }) => number);
  };
  return { finalBlocks: createFinalBlocks(pool, 56), record, store, numbers };
}

test("of older blocks, ever fewer are kept, and an older one is never recorded", async () => {
  const { finalBlocks, record, numbers } = await startRecord();
  await record(Array.from({ length: 100 }, (_, index) => index));
  await record([50]);
  const kept = await numbers();
  expect(kept.at(-1)).toBe(99);
  expect(kept.length).toBeLessThan(10);
  // There is one within any distance, give or take a factor of four.
  for (const distance of [1, 4, 16, 64]) {
    expect(kept.some((number) => 99 - number >= distance && 99 - number < 4 * distance)).toBe(true);
  }
  expect(await finalBlocks.newest()).toEqual({ number: 99, hash: "0x99" });
});

test("the newest block that a chain still has is found, wherever it is", async () => {
  const { finalBlocks, store, numbers } = await startRecord();
  await store(13);
  const stored = await numbers();
  for (const kept of stored.keys()) {
    const found = await finalBlocks.newestOn(async ({ number }) => number < (stored[kept] ?? 0));
    expect(found?.number).toBe(stored[kept - 1]);
  }
});
