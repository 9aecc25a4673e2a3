import { expect, test } from "vitest";
import { countTicks } from "../../../test/service/tick-count.ts";
import { spreadOverTicks } from "./spread-over-ticks.ts";

test("between two callers the event loop gets to everything else", async () => {
  const turn = spreadOverTicks();
  const ticks = countTicks();
  const seen = await Promise.all(Array.from({ length: 5 }, () => turn().then(ticks.now)));
  ticks.stop();
  expect(new Set(seen).size).toBe(5);
});
