import { Hono } from "hono";
import { expect, test } from "vitest";
import { ensureBuilt } from "../../../test/browser/explorer.ts";
import { createExplorer } from "./explorer.ts";

const window = { volumeBnb: "0", trades: 0, buys: 0, sells: 0, traders: 0, priceChangePercent: null };

/** A token as the list has it, on a chain without a price in USD. */
const token = {
  mint: `0x${"ab".repeat(20)}`,
  name: "Otter",
  symbol: "OTTER",
  description: "",
  imageUrl: null,
  creator: `0x${"cd".repeat(20)}`,
  createdAt: "2026-01-31T12:00:00.000Z",
  verified: false,
  progress: 0,
  graduated: false,
  priceBnb: "0.00001",
  marketCapBnb: "12",
  holderCount: 1,
  liquidityBnb: "0",
  websiteUrl: null,
  twitterUrl: null,
  telegramUrl: null,
  risk: {
    creatorPercent: null,
    top10Percent: null,
    snipers: 0,
    bundlers: 0,
    insiders: 0,
    earlyBuyersPercent: null,
  },
  creatorRecord: { tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 0 },
  windows: { "5m": window, "1h": window, "6h": window, "24h": window },
};

function createApp(defaultChain: number): Hono {
  const service = new Hono().get("/api/tokens", (c) => c.json({ tokens: [token], total: 1 }));
  return createExplorer({
    localRpcUrl: undefined,
    hasAlerts: false,
    defaultChain,
    baseUrl: "http://localhost",
    brand: {
      name: "Pond",
      logo: undefined,
      accent: undefined,
      links: [],
      termsUrl: undefined,
      privacyUrl: undefined,
    },
    service: () => service,
    readPicture: async () => undefined,
    trustedHops: 0,
  });
}

test.each([
  [56, "12 BNB"],
  [97, "12 tBNB"],
])("where chain %i is the default, its coin is named from the first screen on: %s", async (chain, shown) => {
  ensureBuilt();
  const page = await (await createApp(chain).request("/", { headers: { accept: "text/html" } })).text();
  expect(page.replaceAll(/<[^>]*>/g, "")).toContain(shown);
  expect(page.includes('<meta name="testnet"')).toBe(chain === 97);
});
