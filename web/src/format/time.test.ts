import { beforeAll, expect, test } from "vitest";
import { readTexts } from "../language/messages.ts";
import { formatAge, formatSpan } from "./time.ts";

beforeAll(() => readTexts(["core"]));

test.each([
  [-5, "now"],
  [0, "now"],
  [59, "59s"],
  [60, "1m"],
  [3_599, "59m"],
  [86_399, "23h"],
  [86_400 * 400, "1y"],
])("%d seconds ago is %s", (seconds, shown) => {
  expect(formatAge(0, seconds * 1_000)).toBe(shown);
});

test("spans are written in words", () => {
  expect([1, 45, 120, 86_400 * 3].map(formatSpan)).toEqual(["1 second", "45 seconds", "2 minutes", "3 days"]);
});
