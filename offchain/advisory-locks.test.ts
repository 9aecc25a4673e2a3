import { expect, test } from "vitest";
import * as locks from "./advisory-locks.ts";

test("every lock has its own key", () => {
  const keys = Object.values(locks);
  expect(new Set(keys).size).toBe(keys.length);
});
