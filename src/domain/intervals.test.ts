import { expect, test } from "vitest";
import { dayOf } from "./intervals.ts";

test.each([
  [0n, 0],
  [86_399n, 0],
  [86_400n, 1],
  [1_767_225_600n, Date.UTC(2026, 0, 1) / 86_400_000],
  [2n ** 63n - 1n, 2 ** 31 - 1],
])("the day of %d", (timestamp, day) => expect(dayOf(timestamp)).toBe(day));
