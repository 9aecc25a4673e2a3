import { expect, test } from "vitest";
import { dropMinuteCandles } from "./drop-minute-candles.ts";

test("what fails again and again is logged once, and goes on", async () => {
  const stopping = new AbortController();
  const lines: string[] = [];
  let rounds = 0;
  await dropMinuteCandles({
    async onDatabase() {
      rounds += 1;
      if (rounds === 6) stopping.abort();
      throw new Error("canceling statement due to statement timeout");
    },
    schema: "onchain",
    days: 7,
    signal: stopping.signal,
    log: (line) => lines.push(line),
    retryMs: 1,
  });
  expect(rounds).toBe(6);
  expect(lines).toEqual([
    "one-minute candles of more than 7 days can't be deleted yet: canceling statement due to statement timeout",
  ]);
});
