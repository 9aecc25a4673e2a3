import { expect, test } from "vitest";
import type { ChainSettings } from "../../../config/env.ts";
import type { QuoteStateRow } from "./quote-state.query.ts";
import { type QuoteRequest, quoteTrade } from "./quote-trade.ts";

const launchpad = `0x${"1".repeat(40)}` as const;
const chain: ChainSettings = {
  ...{
    id: 56,
    rpcUrls: [],
    sync: "built-in" as const,
    webSocketUrls: [],
    pollingInterval: 1_000,
    priceFeeds: [],
  },
  ...{ tokenFactory: launchpad, launchpad, startBlock: 0 },
};
const dex = { router: `0x${"2".repeat(40)}`, wbnb: `0x${"3".repeat(40)}`, fee: 2_500n } as const;

const e18 = 10n ** 18n;
const opened: QuoteStateRow = {
  ...{ virtual_bnb_reserves: String(e18 / 10n), virtual_token_reserves: String(900_000_000n * e18) },
  ...{ tokens_sold: "0", total_to_sell: String(300_000_000n * e18), opened_block: "1", graduated: false },
  ...{ graduation_bnb_reserves: String((e18 * 15n) / 100n), pair: null, bnb_reserves: null },
  ...{ token_reserves: null, total_supply: String(500_000_000n * e18), bnb_usd_x8: null, balance: null },
  latest_checkpoint: "",
};
const graduated: QuoteStateRow = {
  ...opened,
  ...{ graduated: true, pair: `0x${"4".repeat(40)}`, bnb_reserves: String(e18 / 20n) },
  token_reserves: String(200_000_000n * e18),
};

function quote(
  row: QuoteStateRow,
  changes: Partial<QuoteRequest> = {},
  readDexTerms = async () => dex as never,
) {
  const request: QuoteRequest = {
    ...{ mint: `0x${"5".repeat(40)}`, side: "buy", amountIn: 10n ** 15n, slippage: 100, deadline: 1n },
    ...{ account: undefined, ...changes },
  };
  return quoteTrade({ chain, readDexTerms }, row, request);
}

test("no state that an indexed chain may be in is an error of ours", async () => {
  for (const row of [
    { ...opened, opened_block: null },
    { ...opened, virtual_bnb_reserves: "0", virtual_token_reserves: "0" },
    { ...opened, tokens_sold: opened.total_to_sell },
    { ...opened, virtual_bnb_reserves: String(e18) },
    // The pair is another token's, or has been emptied.
    { ...graduated, bnb_reserves: null, token_reserves: null },
    { ...graduated, token_reserves: "0" },
  ]) {
    await expect(quote(row)).rejects.toMatchObject({ problem: { status: 422, code: "no_liquidity" } });
  }
});

test("the curve is quoted without asking the chain", async () => {
  const asked = () => Promise.reject(new Error("asked"));
  const { transaction, approval, fee } = await quote(opened, {}, asked);
  expect(transaction).toMatchObject({ to: launchpad, value: 10n ** 15n, gas: 400_000 });
  expect([approval, fee]).toEqual([null, 0n]);
});

test("where the launchpad leads to no DEX, that is said", async () => {
  const none = async () => null as never;
  expect((await quote(opened, {}, none)).venue).toBe("curve");
  await expect(quote(graduated, {}, none)).rejects.toMatchObject({
    problem: { status: 422, code: "dex_not_supported" },
  });
});

test("on the DEX no more can be sold than the pair does not have, nor paid in than it can count", async () => {
  const most = 300_000_000n * e18;
  expect((await quote(graduated, { side: "sell", amountIn: most })).venue).toBe("dex");
  for (const [side, amountIn] of [
    ["sell", most + 1n],
    ["buy", 2n ** 112n - e18 / 20n],
  ] as const) {
    await expect(quote(graduated, { side, amountIn })).rejects.toMatchObject({
      problem: { status: 422, code: "amount_too_large", errors: [{ path: "amount" }] },
    });
  }
  // A supply that no event has told.
  const untold = { ...graduated, total_supply: null };
  expect((await quote(untold, { side: "sell", amountIn: most + 1n })).venue).toBe("dex");
});
