import { expect, test } from "vitest";
import { linkUrl } from "./link-url.ts";

test.each([
  ["twitterUrl", "@frog", "https://x.com/frog"],
  ["twitterUrl", " frog_1 ", "https://x.com/frog_1"],
  ["twitterUrl", "x.com/frog", "https://x.com/frog"],
  ["twitterUrl", "https://twitter.com/frog", "https://twitter.com/frog"],
  ["telegramUrl", "@frogs", "https://t.me/frogs"],
  ["telegramUrl", "t.me/+aBc", "https://t.me/+aBc"],
  ["websiteUrl", "frog.example", "https://frog.example"],
  ["websiteUrl", "frog.example/pond?x=1", "https://frog.example/pond?x=1"],
] as const)("%s: %s becomes %s", (field, text, url) => {
  expect(linkUrl(field, text)).toBe(url);
});

test.each([
  ["websiteUrl", "@frog"],
  ["websiteUrl", "frog"],
  ["twitterUrl", "@a_handle_that_is_too_long"],
  ["twitterUrl", "@frog@pond"],
  ["twitterUrl", "javascript:alert(1)"],
  ["telegramUrl", "two words"],
  ["telegramUrl", ""],
] as const)("%s: %s is left for the form to refuse", (field, text) => {
  expect(linkUrl(field, text)).toBe(text);
});
