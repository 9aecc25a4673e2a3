import { expect, test } from "vitest";
import { symbolHash } from "./ids.ts";

test("symbols that differ only in case and blanks around them have the same hash, of any length", () => {
  expect(new Set(["OTTER", "otter", " Otter\t"].map(symbolHash)).size).toBe(1);
  expect(new Set(["OTTER", "OTTERS", "OT TER", "", "狗"].map(symbolHash)).size).toBe(5);
  expect(symbolHash("x".repeat(100_000))).toMatch(/^0x[0-9a-f]{64}$/);
});
