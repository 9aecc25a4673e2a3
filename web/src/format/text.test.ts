import { beforeAll, expect, test } from "vitest";
import { readTexts } from "../language/messages.ts";
import { plainLines, plainText } from "./plain-text.ts";
import { displayName, shortAddress } from "./text.ts";

beforeAll(() => readTexts(["core"]));

test.each([
  ["Golden Pancake", "Golden Pancake"],
  ["a\u202eb\u2066c\u200bd\ufeff", "abcd"],
  ["line\nbreak\u0000", "line break"],
  ["  a \u3000  b ", "a b"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["👩‍🚀 流", "👩‍🚀 流"],
  [`Z${"\u0303".repeat(50)}`, `Z${"\u0303".repeat(3)}`],
  ["\u{e0041}tag", "tag"],
  ["\u0301".repeat(32), ""],
  ["\u0301\u0489Z\u0301 \u0301x", "Z\u0301 x"],
  ["\ufffd(\ufffd", "\ufffd(\ufffd"],
])("%j is shown as %j", (text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test("long text is cut between characters", () => {
  expect(plainText("🦦".repeat(9), 4)).toBe("🦦🦦🦦…");
});

test("a name without visible characters gets a placeholder", () => {
  expect([displayName("\u200b \u202e"), displayName("")]).toEqual(["(no name)", "(no name)"]);
});

test("line breaks are kept, with at most one empty line in a row", () => {
  expect(plainLines("a\r\n\n\n\nb\nc")).toEqual(["a", "", "b", "c"]);
});

test("addresses keep both ends", () => {
  expect(shortAddress("0x1f09612d8827cdb5e413106529aa6e5498cb1d17")).toBe("0x1f09…1d17");
});
