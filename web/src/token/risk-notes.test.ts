import { beforeAll, expect, test, vi } from "vitest";
import { readTexts } from "../language/messages.ts";
import type { TokenDetails } from "./data.ts";
import { listedWarnings, riskNotes, riskVerdict } from "./risk-notes.tsx";

vi.hoisted(() => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelector: () => null });
});

beforeAll(() => readTexts(["core"]));

type Risk = TokenDetails["risk"];

const calm: Risk = {
  creatorPercent: 0,
  creatorOfSupplyPercent: 0,
  creatorSoldOut: false,
  creatorGraduated: null,
  top10Percent: 12,
  top10OfSupplyPercent: 6,
  effectiveHolders: 40,
  earlyBuyers: 0,
  earlyBuyersPercent: 0,
  earlyBuyersOfSupplyPercent: 0,
  snipers: 0,
  snipersPercent: 0,
  snipersBoughtPercent: 0,
  bundlers: 0,
  bundlersPercent: 0,
  bundlersBoughtPercent: 0,
  insiders: 0,
  insidersPercent: 0,
  insidersReceivedPercent: 0,
};

/** The notes of a token with this risk, each with its level. */
const notesOf = (risk: Partial<Risk>, rest: Partial<TokenDetails> = {}) =>
  riskNotes({
    risk: { ...calm, ...risk },
    creatorRecord: { tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 0 },
    lookAlike: null,
    sameSymbolTokens: 0,
    ...rest,
    registered: true,
    verified: true,
    buyImpacts: [],
    holderCount: 40,
  }).map(({ level, text }) => `${level}: ${text}`);

const bundled = { bundlers: 2, bundlersBoughtPercent: 12.34, bundlersPercent: 8, snipers: 2 };

test("a token without bundlers, snipers and insiders has no note about them", () => {
  expect(notesOf({}).join()).not.toMatch(/bundler|sniper|insider|three blocks/);
});

test("bundlers, snipers and insiders: what they bought and hold", () => {
  expect(
    notesOf({
      ...bundled,
      snipers: 5,
      snipersBoughtPercent: 20,
      snipersPercent: 0,
      insiders: 1,
      insidersReceivedPercent: 4,
      insidersPercent: 2.5,
    }),
  ).toEqual(
    expect.arrayContaining([
      "note: 2 bundlers bought 12.3% of the circulating supply in the block in which the curve opened, and hold 8% now.",
      "note: 5 snipers, bundlers included, bought 20% of the circulating supply in the curve's first three blocks, and hold none of it now.",
      "note: 1 insider got 4% of the circulating supply from the creator by transfer, and holds 2.5% now.",
    ]),
  );
});

test("snipers who are all bundlers are named once", () => {
  expect(notesOf(bundled).join()).not.toContain("sniper");
});

test("who bought more than what circulates now did so, whatever the share", () => {
  const sold = { bundlersBoughtPercent: 5_000, snipersBoughtPercent: 5_000 };
  expect(notesOf({ ...bundled, ...sold }).join()).toContain(
    "2 bundlers bought more than what circulates now",
  );
  const none = { bundlersBoughtPercent: null, bundlersPercent: null };
  expect(notesOf({ ...bundled, ...none }).join()).toContain("hold none of it now");
});

test.each([
  { risk: { ...bundled, bundlersPercent: 10 }, warning: "2 bundlers" },
  { risk: { snipers: 3, snipersPercent: 40, earlyBuyersPercent: 45 }, warning: "3 snipers" },
  { risk: { insiders: 2, insidersPercent: 10 }, warning: "2 insiders" },
  { risk: { snipers: 3, snipersPercent: 39, earlyBuyersPercent: 40 }, warning: "the creator included" },
])("holding much is a warning, given once: $warning", ({ risk, warning }) => {
  const warnings = notesOf(risk).filter((note) => note.startsWith("warning"));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(warning);
});

test("a look-alike is warned of first, and only the one that is not the original", () => {
  const lookAlike = {
    mint: `0x${"12".repeat(20)}`,
    name: "Pepe",
    symbol: "\u202ePEPE",
    createdAt: "2026-01-31T12:00:00.000Z",
    graduated: true,
    liquidityBnb: "1",
    same: ["symbol" as const],
    reason: "larger" as const,
  };
  const copy = notesOf({ creatorPercent: 50 }, { lookAlike, sameSymbolTokens: 1 });
  expect(copy[0]).toBe(
    "warning: It looks like \u2068PEPE\u2069 (0x1212…1212), a much larger token. Make sure that this is the one you want.",
  );
  const original = notesOf({}, { sameSymbolTokens: 2 });
  expect(original.filter((note) => note.startsWith("warning"))).toEqual([]);
  expect(original).toContain("note: 2 other tokens have the same symbol.");
});

test("the verdict follows from the number of warnings, and a list knows those about holders and creator", () => {
  const record = { tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 0 };
  const verdict = (risk: Partial<Risk>, creatorRecord = record) =>
    riskVerdict(listedWarnings({ risk: { ...calm, ...risk }, creatorRecord })).level;
  expect(verdict({})).toBe("none");
  expect(verdict({ top10Percent: 80 })).toBe("some");
  expect(verdict({ top10Percent: 80, creatorPercent: 20 })).toBe("high");
  expect(verdict({ top10Percent: 80 }, { ...record, tokensCreated: 5, tokensSoldOut: 4 })).toBe("high");
});
