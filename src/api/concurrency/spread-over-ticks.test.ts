import { expect, test } from "vitest";
import { spreadOverTicks } from "./spread-over-ticks.ts";

test("between two callers the event loop gets to everything else", async () => {
  const turn = spreadOverTicks();
  let ticks = 0;
  const count = () => {
    ticks++;
    if (ticks < 50) setImmediate(count);
  };
  setImmediate(count);
  const seen = await Promise.all(Array.from({ length: 5 }, () => turn().then(() => ticks)));
  expect(new Set(seen).size).toBe(5);
});
