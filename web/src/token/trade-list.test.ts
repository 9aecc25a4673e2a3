import { expect, test } from "vitest";
import type { StreamEvent } from "../data/client.ts";
import type { Trade } from "./data.ts";
import { createTradeList } from "./trade-list.ts";

const trade = (logIndex: number) => ({ tx: "0xab", logIndex }) as Trade;
const told = (logIndex: number, removed = false) =>
  ({ kind: "trade", tx: "0xab", logIndex, removed }) as StreamEvent;

/** A list whose reads are answered by the test. */
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

test("a trade that is told while the first ones are read is not lost, nor there twice", async () => {
  const { list, answer, shown } = answeredList();
  const reading = list.reload();
  await answer();
  await reading;
  const again = list.reload();
  // Begun by now.
  await Promise.resolve();
  list.note(told(2));
  list.note(told(3));
  await answer(2, 1);
  await again;
  expect(shown()).toEqual([3, 2, 1]);
});

test("one that a reorg takes back while trades are read stays away", async () => {
  const { list, answer, shown } = answeredList();
  const reading = list.reload();
  await Promise.resolve();
  list.note(told(2, true));
  await answer(2, 1);
  await reading;
  expect(shown()).toEqual([1]);
});

test("an answer that comes late does not replace a newer one", async () => {
  const { list, answer, shown } = answeredList();
  const both = [list.reload(), list.reload()];
  await answer(1);
  await answer(2, 1);
  await Promise.all(both);
  expect(shown()).toEqual([2, 1]);
});
