import { expect, test } from "vitest";
import { tokenHead } from "./page-head.ts";

const mint = `0x${"ab".repeat(20)}`;
const token = { mint, name: "Brave Otter", symbol: "OTTER", description: "" };
const place = { baseUrl: "https://launchpad.example", name: "Launchpad", language: "en" } as const;

test("a shared token has its name, description and card", () => {
  const { title, head } = tokenHead({ ...token, description: "Swims\nupstream." }, place);
  expect(title).toBe("Brave Otter (OTTER)");
  const page = `https://launchpad.example/token/${mint}`;
  for (const tag of [
    '<meta property="og:description" content="Swims upstream." />',
    `<meta property="og:image" content="${page}/card.png" />`,
    '<meta property="og:image:width" content="1200" />',
    `<meta property="og:url" content="${page}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
    `<meta name="twitter:image" content="${page}/card.png" />`,
  ]) {
    expect(head).toContain(tag);
  }
});

test("the chain in the page's URL is in the card's URL too", () => {
  const { head } = tokenHead(token, { ...place, chain: "97" });
  expect(head).toContain(`/token/${mint}/card.png?chain=97"`);
  expect(head).toContain(`/token/${mint}?chain=97"`);
});

test("creators' text can't reorder or cover the text around it", () => {
  const attack = `\u202eZ${"\u0301".repeat(30)}\u2066`;
  const { title, head } = tokenHead({ ...token, name: attack, symbol: attack, description: attack }, place);
  expect(title + head).not.toMatch(/[\p{Cf}\p{Cc}]|\p{M}{4}/u);
});

test("creators' text is escaped", () => {
  const attack = `"><script>alert('x')</script>&`;
  const { title, head } = tokenHead({ ...token, name: attack, symbol: attack, description: attack }, place);
  expect(title + head).not.toMatch(/<script|'x'/);
  expect(new Set(head.match(/<\/?\w+/g))).toEqual(new Set(["<meta", "<link"]));
  expect(head).not.toMatch(/<link[^>]*alert/);
});

test("the chain in the page's URL can't add a tag", () => {
  const { head } = tokenHead(token, { ...place, chain: '"><meta http-equiv="refresh" content="0">' });
  expect(head).not.toContain("<meta http-equiv");
});
