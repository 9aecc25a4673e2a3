import { expect, test } from "vitest";
import { plainLink, plainText, plainValue, toUntrustedEntry, withoutUntrusted } from "./untrusted.ts";

test.each([
  ["\u001b[31mred\u001b[0m", "[31mred[0m"],
  ["a\u202eb\u2066c\u200dd\u00ade", "abcde"],
  ["tag\u{e0041}\u{e0042}", "tag"],
  ["two\n\n  lines\t", "two lines"],
  ["lone \ud800 surrogate", "lone  surrogate"],
  ["see https://evil.example", "see https[:]//evil.example"],
  ["plain text, 日本語, 🦦", "plain text, 日本語, 🦦"],
])("%j becomes %j", (text, expected) => expect(plainText(text, 100)).toBe(expected));

test("long text is cut between characters", () => expect(plainText("🦦".repeat(10), 4)).toBe("🦦🦦🦦…"));

test.each([
  ["https://evil.example/a", "evil.example/a"],
  ["javascript:alert(1)", "alert(1)"],
  ["ipfs://bafy", "bafy"],
])("the link %s becomes unclickable", (link, expected) => expect(plainLink(link)).toBe(expected));

test("empty texts and links are omitted", () => {
  const nothing = { description: null, imageUrl: "", twitterUrl: null };
  expect(toUntrustedEntry({ name: null, symbol: "S", ...nothing })).toEqual({ name: "", symbol: "S" });
});

test("JSON is made plain at every depth, and untrusted fields are removed from the rest", () => {
  expect(plainValue({ "a\u202e": [{ b: "c\u001b" }, 1, null] })).toEqual({ a: [{ b: "c" }, 1, null] });
  const result = { a: 1, untrusted: { name: "x" }, rows: [{ b: 2, untrusted: { name: "y" } }] };
  expect(withoutUntrusted(result)).toEqual({ a: 1, rows: [{ b: 2 }] });
});
