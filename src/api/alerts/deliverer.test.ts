import { expect, test } from "vitest";
import { retryPause } from "./deliverer.ts";

test("pauses grow from 5 seconds to an hour, up to a fifth longer at random", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => retryPause(failures, 0) / 1_000)).toEqual([
    5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600,
  ]);
  expect(retryPause(50, 1)).toBe(1.2 * 3_600_000);
});
