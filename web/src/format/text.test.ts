import { beforeAll, expect, test } from "vitest";
import { readTexts } from "../language/messages.ts";
import { plainLines, plainText } from "./plain-text.ts";
import { displayName, imageSource, safeLink, shortAddress } from "./text.ts";

beforeAll(() => readTexts(["core"]));

test.each([
  ["Golden Pancake", "Golden Pancake"],
  ["a\u202eb\u2066c\u200bd\ufeff", "abcd"],
  ["line\nbreak\u0000", "line break"],
  ["  a \u3000  b ", "a b"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["👩‍🚀 流", "👩‍🚀 流"],
  ["❤️ #️⃣ 🇧🇳", "❤️ #️⃣ 🇧🇳"],
  ["a\u2800\u2800b", "a b"],
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
  for (const name of ["", "\u200b \u202e", "\u2800", "\u200d", "\ufe0f\u200d \u2800\ufe0f"]) {
    expect(displayName(name)).toBe("(no name)");
  }
});

test("line breaks are kept, with at most one empty line in a row", () => {
  expect(plainLines("a\r\n\n\n\nb\nc")).toEqual(["a", "", "b", "c"]);
});

test("addresses keep both ends", () => {
  expect(shortAddress("0x1f09612d8827cdb5e413106529aa6e5498cb1d17")).toBe("0x1f09…1d17");
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "https://user:pass@example.com/",
  "https://example.com@evil.example/",
  "//example.com",
  "nothing",
  "",
  null,
])("%j is not a link", (text) => {
  expect(safeLink(text)).toBeUndefined();
});

test("a link is shown as the browser will open it", () => {
  expect(safeLink("https://еxample.com/a b")).toEqual({
    href: "https://xn--xample-2of.com/a%20b",
    shown: "https://xn--xample-2of.com/a%20b",
  });
});

test("images are loaded from our gateway only", () => {
  const cid = "bafkreibdjy2jjf6uklsqeqcjdzf7xfp4mavpo6yi3ocu4cjbmvoqd5oqia";
  expect(imageSource(`ipfs://${cid}`, 64)).toBe(`/ipfs/${cid}?width=64`);
  expect(
    [`ipfs://${cid}/../x`, "https://example.com/a.png", null].map((url) => imageSource(url, 64)),
  ).toEqual([undefined, undefined, undefined]);
});
