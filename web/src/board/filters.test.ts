import { beforeAll, expect, test, vi } from "vitest";
import { readTexts } from "../language/messages.ts";
import {
  emptyFilter,
  type Filter,
  isCheckedHere,
  parseLimit,
  passes,
  toQuery,
  validFilter,
} from "./filters.ts";
import type { Row } from "./row.ts";

vi.hoisted(() => {
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelector: () => null });
});

beforeAll(() => readTexts(["core"]));

const now = Date.parse("2026-01-01T12:00:00Z");
const day = { trades: 3, volumeBnb: "0.5", volumeUsd: "300" };
const row = {
  createdAt: "2026-01-01T11:50:00Z",
  marketCapBnb: "2",
  marketCapUsd: "1200",
  holderCount: 20,
  verified: false,
  websiteUrl: null,
  twitterUrl: "https://x.com/frog",
  telegramUrl: null,
  windows: { "24h": day },
  creatorRecord: { tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 0 },
  risk: {
    creatorPercent: 10,
    top10Percent: 60,
    insidersPercent: 4,
    snipersPercent: 5,
    bundlersPercent: null,
    snipers: 1,
    bundlers: 0,
    insiders: 1,
    earlyBuyersPercent: 5,
    creatorSoldOut: false,
    creatorGraduated: null,
  },
} as unknown as Row;

const meets = (conditions: Partial<Filter>, other: Partial<Row> = {}) =>
  passes({ ...row, ...other }, { ...emptyFilter, ...conditions }, now);

test.each<[Partial<Filter>, boolean]>([
  [{}, true],
  [{ maxAgeMinutes: 10 }, true],
  [{ maxAgeMinutes: 9 }, false],
  [{ minMarketCap: 2, maxMarketCap: 2 }, true],
  [{ minMarketCap: 1_000 }, false],
  [{ minMarketCap: 1_000, currency: "usd" }, true],
  [{ minVolume: 0.6 }, false],
  [{ minVolume: 300, currency: "usd" }, true],
  [{ minHolders: 21 }, false],
  [{ maxCreatorPercent: 9.5 }, false],
  [{ maxTopTenPercent: 60 }, true],
  [{ maxInsiderPercent: 3 }, false],
  [{ maxSniperPercent: 4 }, false],
  [{ maxBundlerPercent: 0 }, true],
  [{ hasLinks: true }, true],
  [{ isVerified: true }, false],
])("whether a token meets %o: %o", (conditions, expected) => {
  expect(meets(conditions)).toBe(expected);
});

test("what isn't known in USD meets no limit in USD", () => {
  const { marketCapUsd: _, ...unpriced } = row;
  expect(passes(unpriced as Row, { currency: "usd", minMarketCap: 1 }, now)).toBe(false);
});

test("the API is asked for what it can filter, and the rest is checked here", () => {
  expect(toQuery({ currency: "bnb", minVolume: 1, minHolders: 3 })).toMatchObject({
    minVolumeBnb: 1,
    minHolders: 3,
  });
  expect(toQuery({ currency: "usd", minVolume: 1 }).minVolumeBnb).toBeUndefined();
  expect(isCheckedHere({ currency: "usd", minVolume: 1 })).toBe(true);
  expect(isCheckedHere({ currency: "bnb", minVolume: 1, isVerified: true })).toBe(false);
});

test("limits are numbers with a comma or a point, and shares at most 100", () => {
  expect(["", " 0,5 ", "10", ".5", ",5"].map((text) => parseLimit(text, "%"))).toEqual([
    undefined,
    0.5,
    10,
    0.5,
    0.5,
  ]);
  for (const text of ["100.1", "1e3", "-1", "x", ".", "..5", ",.5"]) expect(parseLimit(text, "%")).toBeNull();
});

test("a number of holders has no separator, which would make one of a thousand", () => {
  expect(["1000", "1,000", "1.000", "2.5"].map((text) => parseLimit(text, ""))).toEqual([
    1_000,
    null,
    null,
    null,
  ]);
});

test("a comma or a point that may separate thousands is refused", () => {
  expect(
    ["10,000", "1,000", "999,999", "69.000", "10,00", "10.00", "0.000", "0,125", "10.125"].map((text) =>
      parseLimit(text, "money"),
    ),
  ).toEqual([null, null, null, null, 10, 10, 0, 0.125, 10.125]);
});

test("of a stored filter only what has the right form is used", () => {
  const stored = {
    currency: "usd",
    minHolders: 5,
    maxCreatorPercent: 101,
    minVolume: "1",
    minMarketCap: 1e-7,
    maxSniperPercent: 33.3333333,
    hasLinks: 1,
    isVerified: true,
  };
  expect(validFilter(stored)).toEqual({ currency: "usd", minHolders: 5, isVerified: true });
  expect([null, undefined, 5, "x"].map(validFilter)).toEqual([1, 2, 3, 4].map(() => emptyFilter));
});
