import { expect, test } from "vitest";
import { quoteRoute } from "../../quotes/quote.routes.ts";
import { type ToolContext, ToolError } from "../tool.ts";
import { findFlags, readImpact, tokensWithSymbol } from "./assess-token.ts";

/** A context in which every quote fails with this code. */
const failing = (code: string) =>
  ({
    ask: (route: { path: string }) => {
      expect(route.path).toBe(quoteRoute.path);
      return Promise.reject(new ToolError(code, "no"));
    },
  }) as unknown as ToolContext;

const mint = `0x${"1".repeat(40)}`;

test("a buy that the chain would revert has no impact", async () => {
  expect(await readImpact(failing("no_liquidity"), mint, "0.01")).toMatchObject({ priceImpactPercent: null });
});

test.each(["busy", "chain_unavailable", "too_many_requests"])(
  "%s is not taken for a token that can't be traded",
  async (code) => await expect(readImpact(failing(code), mint, "0.01")).rejects.toMatchObject({ code }),
);

/** A list in pages of 100, whose cursors are positions. */
const listing = (symbols: string[]) => {
  let requests = 0;
  const ask = (_route: unknown, { query }: { query: { cursor?: string } }) => {
    requests++;
    const from = Number(query.cursor ?? 0);
    const tokens = symbols
      .map((symbol, at) => ({ mint: `0x${at}`, symbol, createdAt: null, progress: 0, holderCount: 1 }))
      .slice(from, from + 100);
    const next = from + 100 < symbols.length ? String(from + 100) : null;
    return Promise.resolve({ view: "compact", tokens, nextCursor: next });
  };
  return { context: { ask } as unknown as ToolContext, requests: () => requests };
};

test.each([
  [
    "behind 350 that only mention it",
    [...Array(350).fill("OTTERS"), " otter", "OTTER"],
    2,
    ["0x350", "0x351"],
    4,
  ],
  ["no more pages than are needed", [...Array(150).fill("Otter"), ...Array(500).fill("OTTERS")], 150, 10, 1],
  ["none is listed", Array(250).fill("OTTERS"), 3, 0, 3],
  ["nobody has it", Array(250).fill("OTTERS"), 0, 0, 0],
  ["at most 1000 are looked at", [...Array(2_000).fill("OTTERS"), "OTTER"], 1, 0, 10],
])("finds tokens with the same symbol: %s", async (_, symbols, sameSymbolTokens, expected, requests) => {
  const list = listing(symbols);
  const found = await tokensWithSymbol(list.context, { mint, symbol: "OTTER", sameSymbolTokens });
  const mints = found.map(({ mint }) => mint);
  expect(typeof expected === "number" ? mints.length : mints).toEqual(expected);
  expect(list.requests()).toBe(requests);
});

const noSnipers = {
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
const token = {
  risk: {
    creatorPercent: 1,
    top10Percent: 20,
    earlyBuyersPercent: 2,
    earlyBuyers: 1,
    ...noSnipers,
    effectiveHolders: 80,
    creatorOfSupplyPercent: 1,
    top10OfSupplyPercent: 10,
    earlyBuyersOfSupplyPercent: 1,
    creatorBuysPercent: 1,
    openingBuysPercent: 1,
    creatorSoldOut: false,
    creatorGraduated: null,
  },
  creatorRecord: { tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 0 },
  holderCount: 100,
  verified: true,
  registered: true,
  lastTradeAt: "2026-01-31T12:00:00.000Z",
  lookAlike: null,
};
const buys = [{ amountBnb: "0.01", priceImpactPercent: 1 }];
const codesOf = (risk: object, rest: object = {}) =>
  findFlags({ ...token, ...rest, risk: { ...token.risk, ...risk } }, buys).map((flag) => flag.split(":")[0]);

test.each([
  [{}, {}, []],
  [{ creatorPercent: 10, top10Percent: 50 }, {}, ["creator_holds_much", "concentrated"]],
  [{ effectiveHolders: 4.9 }, {}, ["few_effective_holders"]],
  [{ effectiveHolders: 4.9 }, { holderCount: 9 }, ["few_holders"]],
  [{ creatorSoldOut: true, creatorGraduated: true }, {}, ["creator_left", "creator_graduated_it"]],
  [{ snipersPercent: 15 }, {}, ["snipers"]],
  // Only the creator's first buy.
  [{ earlyBuyersPercent: 15 }, {}, []],
  [{ bundlersPercent: 10 }, {}, ["bundled"]],
  [{ insidersPercent: 10 }, {}, ["insiders"]],
  [
    { creatorGraduated: false },
    { lookAlike: { mint: "0x1", same: ["symbol"], reason: "older" } as const },
    ["look_alike"],
  ],
  [
    { creatorPercent: null, top10Percent: null, snipersPercent: null, effectiveHolders: null },
    { holderCount: 0 },
    ["few_holders"],
  ],
])("%j and %j: %j", (risk, rest, codes) => expect(codesOf(risk, rest)).toEqual(codes));
