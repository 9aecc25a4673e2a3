import { expect, test } from "vitest";
import { imageSource, safeLink } from "./link.ts";

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
