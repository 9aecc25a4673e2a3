import { decodeFunctionData } from "viem";
import { expect, test } from "vitest";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { chainSettings } from "../../../test/service/chain-settings.ts";
import type { QuoteStateRow } from "../market/quote-state.query.ts";
import type { ReadOpeningTerms } from "./opening-terms.ts";
import type { Quote } from "./quote.mapper.ts";
import { type QuoteRequest, quoteTrade } from "./quote-trade.ts";

const chain = chainSettings();
const { launchpad } = chain;
const dex = { router: `0x${"2".repeat(40)}`, wbnb: `0x${"3".repeat(40)}`, fee: 2_500n } as const;

const e18 = 10n ** 18n;
const opened: QuoteStateRow = {
  virtual_bnb_reserves: String(e18 / 10n),
  virtual_token_reserves: String(900_000_000n * e18),
  tokens_sold: "0",
  total_to_sell: String(300_000_000n * e18),
  opened_block: "1",
  graduated: false,
  graduation_bnb_reserves_wei: String((e18 * 15n) / 100n),
  liquidity_wei: "0",
  pair: null,
  bnb_reserves_wei: null,
  token_reserves_raw: null,
  total_supply_raw: String(500_000_000n * e18),
  launch_supply_raw: String(500_000_000n * e18),
  bnb_usd_x8: null,
  balance_raw: null,
  latest_checkpoint: "",
};
const graduated: QuoteStateRow = {
  ...opened,
  graduated: true,
  pair: `0x${"4".repeat(40)}`,
  bnb_reserves_wei: String(e18 / 20n),
  token_reserves_raw: String(200_000_000n * e18),
};

function quote(
  row: QuoteStateRow,
  changes: Partial<QuoteRequest> = {},
  readDexTerms = async () => dex as never,
  readOpeningTerms: ReadOpeningTerms = () => Promise.reject(new Error("asked")),
) {
  const request: QuoteRequest = {
    mint: `0x${"5".repeat(40)}`,
    side: "buy",
    amountIn: 10n ** 15n,
    slippage: 100,
    deadline: 1n,
    account: undefined,
    ...changes,
  };
  return quoteTrade({ chain, readDexTerms, readOpeningTerms }, row, request);
}

test("no state of an indexed chain causes an internal error", async () => {
  for (const row of [
    { ...opened, opened_block: null },
    { ...opened, virtual_bnb_reserves: "0", virtual_token_reserves: "0" },
    { ...opened, tokens_sold: opened.total_to_sell },
    { ...opened, virtual_bnb_reserves: String(e18) },
    // The pair is another token's, or has been emptied.
    { ...graduated, bnb_reserves_wei: null, token_reserves_raw: null },
    { ...graduated, token_reserves_raw: "0" },
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

test("a buy beyond the end of the curve scales its limit to all that is sent, unless the launchpad is an earlier one", async () => {
  const limitOf = ({ transaction }: Quote) => {
    const { args } = decodeFunctionData({ abi: launchpadAbi, data: transaction?.data ?? "0x" });
    return args?.[1];
  };
  const left = 300_000_000n * e18;
  const twice = { amountIn: e18 / 10n };
  const terms = async () => ({}) as never;
  const known = await quote(opened, twice, undefined, terms);
  expect([known.minAmountOut, limitOf(known)]).toEqual([(left * 99n) / 100n, (left * 99n) / 50n]);
  const earlier = await quote(opened, twice, undefined, async () => null);
  expect([earlier.minAmountOut, limitOf(earlier)]).toEqual([(left * 99n) / 100n, (left * 99n) / 100n]);

  // Without a refund there is nothing to ask, and a limit is capped at the largest uint256.
  const exact = await quote(opened, { amountIn: e18 / 20n });
  expect([exact.swap.graduates, limitOf(exact)]).toEqual([true, (left * 99n) / 100n]);
  const vast = await quote(opened, { amountIn: 2n ** 256n - 1n }, undefined, terms);
  expect(limitOf(vast)).toBe(2n ** 256n - 1n);
});

test("a buy that graduates the token says what that costs holders, as far as it is known", async () => {
  const all = { amountIn: e18 };
  const terms = async () => ({}) as never;
  const exitOf = async (row: QuoteStateRow, changes: Partial<QuoteRequest>) =>
    (await quote(row, changes, undefined, terms)).graduationExit;
  expect(await exitOf(opened, all)).toEqual({ beforeBnb: "0.05", afterBnb: "0.03" });
  const half = { ...opened, virtual_bnb_reserves: String(e18 / 8n), liquidity_wei: String(e18 / 40n) };
  expect(await exitOf(half, all)).toEqual({ beforeBnb: "0.05", afterBnb: "0.03" });
  expect(await exitOf(opened, {})).toBeNull();
  expect(await exitOf(graduated, {})).toBeNull();
  for (const launch_supply_raw of [null, "0"]) {
    expect(await exitOf({ ...opened, launch_supply_raw }, all)).toBeNull();
  }
});

test("a launchpad that names no DEX is refused by name", async () => {
  const none = async () => null as never;
  expect((await quote(opened, {}, none)).venue).toBe("curve");
  await expect(quote(graduated, {}, none)).rejects.toMatchObject({
    problem: { status: 422, code: "dex_not_supported" },
  });
});

test("on the DEX, a sell is limited to the tokens outside the pair, and a buy to what the pair can count", async () => {
  const most = 300_000_000n * e18;
  expect((await quote(graduated, { side: "sell", amountIn: most })).venue).toBe("dex");
  for (const [side, amountIn] of [
    ["sell", most + 1n],
    ["buy", 2n ** 112n - e18 / 20n],
  ] as const) {
    await expect(quote(graduated, { side, amountIn })).rejects.toMatchObject({
      problem: {
        status: 422,
        code: "amount_too_large",
        errors: [{ path: "amount" }],
      },
    });
  }
  // A supply that no event has reported.
  const untold = { ...graduated, total_supply_raw: null };
  expect((await quote(untold, { side: "sell", amountIn: most + 1n })).venue).toBe("dex");
});
