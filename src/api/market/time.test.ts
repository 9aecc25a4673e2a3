import { expect, test } from "vitest";
import { isoTime } from "./time.ts";

test.each([
  ["0", "1970-01-01T00:00:00.000Z"],
  [1_769_860_800, "2026-01-31T12:00:00.000Z"],
  [2n ** 63n - 1n, "+275760-09-13T00:00:00.000Z"],
])("%s seconds since 1970 are %s", (seconds, shown) => expect(isoTime(seconds)).toBe(shown));
