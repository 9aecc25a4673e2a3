import { expect, test } from "vitest";
import * as locks from "./advisory-locks.ts";

test("every lock has a key of its own", () => {
  const keys = Object.values(locks);
  expect(new Set(keys).size).toBe(keys.length);
});
