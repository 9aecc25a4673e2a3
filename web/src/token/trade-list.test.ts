import { expect, test } from "vitest";
import type { StreamEvent } from "../data/client.ts";
import type { Trade } from "./data.ts";
import { createTradeList } from "./trade-list.ts";

const trade = (logIndex: number) => ({ tx: "0xab", logIndex }) as Trade;
const tradeEvent = (logIndex: number, removed = false) =>
  ({ kind: "trade", tx: "0xab", logIndex, removed }) as StreamEvent;

/** A list whose requests are answered by the test. */
function answeredList() {
  const waiting: ((trades: Trade[]) => void)[] = [];
  const list = createTradeList(async () => {
    const { promise, resolve } = Promise.withResolvers<Trade[]>();
    waiting.push(resolve);
    return { trades: await promise, nextCursor: null };
  });
  const answer = async (...logIndexes: number[]) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.(logIndexes.map(trade));
  };
  return { list, answer, shown: () => list.trades.value?.map(({ logIndex }) => logIndex) };
}

test("a trade that arrives while the first page is read is neither lost nor duplicated", async () => {
  const { list, answer, shown } = answeredList();
  const reading = list.reload();
  await answer();
  await reading;
  const again = list.reload();
  // Lets the second read start.
  await Promise.resolve();
  list.note(tradeEvent(2));
  list.note(tradeEvent(3));
  await answer(2, 1);
  await again;
  expect(shown()).toEqual([3, 2, 1]);
});

test("a trade that a reorg undoes while trades are read does not reappear", async () => {
  const { list, answer, shown } = answeredList();
  const reading = list.reload();
  await Promise.resolve();
  list.note(tradeEvent(2, true));
  await answer(2, 1);
  await reading;
  expect(shown()).toEqual([1]);
});

test("a late answer does not replace a newer one", async () => {
  const { list, answer, shown } = answeredList();
  const both = [list.reload(), list.reload()];
  await answer(1);
  await answer(2, 1);
  await Promise.all(both);
  expect(shown()).toEqual([2, 1]);
});
