import { type Address, encodeFunctionData } from "viem";
import { expect, test } from "vitest";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { toSendable } from "../quotes/quote.mapper.ts";
import type { QuoteAnswer } from "../quotes/quote.schema.ts";
import { approvalTransaction, curveTransaction, dexTransaction } from "../quotes/transaction.ts";
import { findContradiction } from "./check-trade.ts";

const address = (digit: number): Address => `0x${String(digit).repeat(40)}`;
const [launchpad, mint, account, router, wbnb, other] = [1, 2, 3, 4, 5, 6].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const chain = { id: 56 as const, launchpad };
const sending = { chainId: 56, account };

type Trade = {
  side: "buy" | "sell";
  venue: "curve" | "dex";
  mint?: Address;
  amountIn?: bigint;
  least?: bigint;
  deadline?: bigint;
  recipient?: Address;
  launchpad?: Address;
  spender?: Address;
  approved?: bigint;
  sending?: typeof sending;
};

/** A quote whose transactions encode the given trade, while its other fields are those of the requested trade. */
function quoteOf(trade: Trade): QuoteAnswer {
  const { side, venue } = trade;
  const { amountIn = 1_000n, least = 990n, deadline = 1_700_000_000n } = trade;
  const call = { mint: trade.mint ?? mint, side, amountIn, minAmountOut: least, deadline };
  const transaction =
    venue === "curve"
      ? curveTransaction(trade.launchpad ?? launchpad, call)
      : dexTransaction({ router, wbnb }, trade.recipient ?? account, call);
  const spender = trade.spender ?? transaction.to;
  const allowance = { ...approvalTransaction(mint, spender, trade.approved ?? 1_000n), spender };
  const sent = trade.sending ?? sending;
  const amounts =
    side === "buy"
      ? { amountInWei: "1000", amountOutRaw: "1000", minAmountOutRaw: "990" }
      : { amountInRaw: "1000", amountOutWei: "1000", minAmountOutWei: "990" };
  return {
    ...{ mint, side, venue, ...amounts, refundWei: "0", deadline: 1_700_000_000 },
    transaction: toSendable(transaction, sent),
    approval: side === "buy" ? null : toSendable(allowance, sent),
  } as unknown as QuoteAnswer;
}

const check = (quote: QuoteAnswer, side: "buy" | "sell") =>
  findContradiction(quote, { mint, side, amountIn: 1_000n, account }, chain);

const kinds = (["buy", "sell"] as const).flatMap((side) =>
  (["curve", "dex"] as const).map((venue) => ({ side, venue })),
);

test.each(kinds)("a $side on the $venue that matches its quote is accepted", (kind) => {
  expect(check(quoteOf(kind), kind.side)).toBeUndefined();
});

test.each([
  ["another token", { mint: other }],
  ["another amount", { amountIn: 1_001n }],
  ["a lower minimum", { least: 989n }],
  ["a later deadline", { deadline: 1_800_000_000n }],
  ["another chain", { sending: { chainId: 97, account } }],
  ["another account", { sending: { chainId: 56, account: other } }],
] as [string, Partial<Trade>][])("%s is noticed in each kind of trade", (_, change) => {
  for (const kind of kinds) expect(check(quoteOf({ ...kind, ...change }), kind.side)).toMatch(/\w/);
});

test.each([
  ["another contract", { side: "buy", venue: "curve", launchpad: other }],
  ["proceeds of a buy for somebody else", { side: "buy", venue: "dex", recipient: other }],
  ["proceeds of a sell for somebody else", { side: "sell", venue: "dex", recipient: other }],
  ["an approval of another contract", { side: "sell", venue: "curve", spender: other }],
  ["an approval of more", { side: "sell", venue: "dex", approved: 1_001n }],
] as [string, Trade][])("%s is noticed", (_, trade) => {
  expect(check(quoteOf(trade), trade.side)).toMatch(/\w/);
});

test("a quote for another trade is noticed, whatever its bytes are", () => {
  const buy = quoteOf({ side: "buy", venue: "curve" });
  expect(check({ ...buy, amountInWei: "1001" }, "buy")).toMatch(/another trade/);
  expect(check({ ...buy, mint: other }, "buy")).toMatch(/another trade/);
  expect(check(buy, "sell")).toMatch(/another trade/);
  expect(check({ ...buy, transaction: null }, "buy")).toMatch(/no transaction/);
});

test("a sell without its approval, and a buy with one, are noticed", () => {
  const [buy, sell] = [quoteOf({ side: "buy", venue: "curve" }), quoteOf({ side: "sell", venue: "curve" })];
  expect(check({ ...sell, approval: null }, "sell")).toMatch(/approval/);
  expect(check({ ...buy, approval: sell.approval }, "buy")).toMatch(/approval/);
});

test("another function is noticed, and so is an unknown one", () => {
  const quote = quoteOf({ side: "buy", venue: "curve" });
  const withData = (data: string) => {
    const rpc = { ...quote.transaction?.rpc, data };
    return { ...quote, transaction: { ...quote.transaction, rpc } } as QuoteAnswer;
  };
  const args = [mint, 1_000n, 990n, 1_700_000_000n] as const;
  const sell = encodeFunctionData({ abi: launchpadAbi, functionName: "sell", args });
  expect(check(withData(sell), "buy")).toMatch(/\w/);
  expect(check(withData("0x12345678"), "buy")).toMatch(/no function/);
});

test("if the curve ends within a buy, the limit bounds the price of the part that is taken", () => {
  const quote = { ...quoteOf({ side: "buy", venue: "curve", least: 1_980n }), refundWei: "500" };
  expect(check(quote, "buy")).toBeUndefined();
});
