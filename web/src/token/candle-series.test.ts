import { expect, test } from "vitest";
import { createCandleSeries } from "./chart-data.ts";
import type { Candle } from "./data.ts";

const minute = 60;
const now = Math.floor(Date.now() / 60_000) * minute;

/** Candles at these minutes before now. Their price tells answers apart. */
const candlesAt = (minutes: number[], closeBnb = "1") =>
  minutes.map((ago) => ({ time: now - ago * minute, closeBnb }) as Candle);

/** A series whose reads are answered by hand, in any order. */
function series(first = candlesAt([2, 1])) {
  const asked: { to: number | undefined; answer: (candles: Candle[]) => void; fail: () => void }[] = [];
  let shown: Candle[] = [];
  const { begin, ...rest } = createCandleSeries({
    length: minute,
    read: (_, to) =>
      new Promise((answer, reject) => asked.push({ to, answer, fail: () => reject(new Error("offline")) })),
    show: (candles) => {
      shown = candles;
    },
  });
  begin(first);
  return {
    ...rest,
    asked,
    shown: () => shown.map(({ time, closeBnb }) => [(now - time) / minute, closeBnb]),
  };
}

/** Lets what waits for an answer go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a late answer doesn't replace a newer one", async () => {
  const { readNewest, asked, shown } = series();
  void readNewest();
  await settle();
  // Another trade, while the answer to the first is on its way.
  const last = readNewest();
  await settle();
  // If both were asked for at once, the answer to the first could come last.
  asked[1]?.answer(candlesAt([1, 0], "3"));
  asked[0]?.answer(candlesAt([1, 0], "2"));
  await settle();
  asked[1]?.answer(candlesAt([1, 0], "3"));
  await last;
  expect(shown()).toEqual([
    [2, "1"],
    [1, "3"],
    [0, "3"],
  ]);
});

test("older candles join those that are shown, also if these were replaced after a gap meanwhile", async () => {
  const { readOlder, readNewest, asked, shown } = series();
  void readNewest();
  const done = readOlder();
  await settle();
  // The device slept: what comes now doesn't reach back to what was shown.
  asked[0]?.answer([{ time: now + 100 * minute, closeBnb: "4" } as Candle]);
  await settle();
  expect(asked[1]?.to).toBe(now + 100 * minute - 1);
  asked[1]?.answer([{ time: now + 99 * minute, closeBnb: "4" } as Candle]);
  await done;
  expect(shown()).toEqual([
    [-99, "4"],
    [-100, "4"],
  ]);
});

test("after a failure both are read again", async () => {
  const { readOlder, readNewest, asked, shown } = series();
  for (const read of [readOlder, readNewest]) {
    const failed = read();
    await settle();
    asked.pop()?.fail();
    await failed;
  }
  const older = readOlder();
  await settle();
  asked.pop()?.answer(candlesAt([3]));
  await older;
  const newest = readNewest();
  await settle();
  asked.pop()?.answer(candlesAt([1, 0], "2"));
  await newest;
  expect(shown()).toEqual([
    [3, "1"],
    [2, "1"],
    [1, "2"],
    [0, "2"],
  ]);
});

test("a chart that had no candles shows those of the first trade", async () => {
  const { readNewest, asked, shown } = series([]);
  const done = readNewest();
  await settle();
  asked[0]?.answer(candlesAt([0], "5"));
  await done;
  expect(shown()).toEqual([[0, "5"]]);
});
