import { type Address, encodeFunctionData, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { toSendable } from "../../src/api/quotes/quote.mapper.ts";
import { approvalTransaction, curveTransaction, dexTransaction } from "../../src/api/quotes/transaction.ts";
import { findContradiction } from "./check-quote.ts";
import type { Quote } from "./trade-calls.ts";

const address = (digit: number): Address => `0x${String(digit).repeat(40)}`;
const [launchpad, mint, account, router, wbnb, other] = [1, 2, 3, 4, 5, 6].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const contracts = { chainId: 56, launchpad, router };
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
  router?: Address;
  spender?: Address;
  approved?: bigint;
  /** Of a permit, in place of the approval. */
  signature?: Hex;
  sending?: typeof sending;
};

/** A quote whose transactions encode the given trade, while its other fields are those of the requested trade. */
function quoteOf(trade: Trade): Quote {
  const { side, venue } = trade;
  const { amountIn = 1_000n, least = 990n, deadline = 1_700_000_000n } = trade;
  const { signature } = trade;
  const call = { mint: trade.mint ?? mint, side, amountIn, minAmountOut: least, deadline, signature };
  const transaction =
    venue === "curve"
      ? curveTransaction(trade.launchpad ?? launchpad, call)
      : dexTransaction({ router: trade.router ?? router, wbnb }, trade.recipient ?? account, call);
  const spender = trade.spender ?? transaction.to;
  const allowance = { ...approvalTransaction(mint, spender, trade.approved ?? 1_000n), spender };
  const sent = trade.sending ?? sending;
  const amounts =
    side === "buy"
      ? { amountInWei: "1000", amountOutRaw: "1000", minAmountOutRaw: "990" }
      : { amountInRaw: "1000", amountOutWei: "1000", minAmountOutWei: "990" };
  return {
    mint,
    side,
    venue,
    chainId: 56,
    ...amounts,
    refundWei: "0",
    deadline: 1_700_000_000,
    transaction: toSendable(transaction, sent),
    approval: side === "buy" || signature !== undefined ? null : toSendable(allowance, sent),
  } as unknown as Quote;
}

/** The quote with changes to its transaction, in both forms. */
function changed(quote: Quote, changes: { data?: string; value?: string; to?: string }): Quote {
  const rpc = { ...quote.transaction?.rpc, ...changes };
  return { ...quote, transaction: { ...quote.transaction, ...changes, rpc } } as Quote;
}

const asked = { mint, amountIn: 1_000n, account, slippagePercent: 1 };
const check = (quote: Quote, side: "buy" | "sell") => findContradiction(quote, { ...asked, side }, contracts);

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
  ["another router", { side: "buy", venue: "dex", router: other }],
  ["another router of a sell, with its approval", { side: "sell", venue: "dex", router: other }],
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

test("a sell with a permit needs no approval, and is compared like any other", () => {
  const signature: Hex = `0x${"7".repeat(128)}1b`;
  const sell = { side: "sell", venue: "curve", signature } as const;
  expect(check(quoteOf(sell), "sell")).toBeUndefined();
  expect(
    check(
      { ...quoteOf(sell), approval: quoteOf({ ...sell, signature: undefined } as Trade).approval },
      "sell",
    ),
  ).toMatch(/approval/);
  for (const change of [
    { mint: other },
    { amountIn: 1_001n },
    { least: 989n },
    { deadline: 1_800_000_000n },
    { launchpad: other },
  ]) {
    expect(check(quoteOf({ ...sell, ...change }), "sell")).toMatch(/\w/);
  }
  expect(check(quoteOf(sell), "buy")).toMatch(/\w/);
});

describe("the permit of a sell", () => {
  const field = (text: string) => ({ type: text.split(" ")[0] ?? "", name: text.split(" ")[1] ?? "" });
  const domainFields = ["string name", "string version", "uint256 chainId", "address verifyingContract"];
  const permitFields = [
    "address owner",
    "address spender",
    "uint256 value",
    "uint256 nonce",
    "uint256 deadline",
  ];
  const permit = {
    domain: { name: "Launchpad Token", version: "1", chainId: 56, verifyingContract: mint },
    types: { EIP712Domain: domainFields.map(field), Permit: permitFields.map(field) },
    primaryType: "Permit" as const,
    message: {
      owner: account,
      spender: launchpad,
      value: "1000",
      nonce: "3",
      deadline: "1700000000",
    },
  };
  const sell = quoteOf({ side: "sell", venue: "curve" });

  test("is accepted as the service writes it", () => {
    expect(check({ ...sell, permit }, "sell")).toBeUndefined();
  });

  test.each([
    ["another spender", { ...permit, message: { ...permit.message, spender: other } }],
    ["more tokens", { ...permit, message: { ...permit.message, value: "1001" } }],
    ["a later deadline", { ...permit, message: { ...permit.message, deadline: "1800000000" } }],
    ["another owner", { ...permit, message: { ...permit.message, owner: other } }],
    ["another token", { ...permit, domain: { ...permit.domain, verifyingContract: other } }],
    ["another chain", { ...permit, domain: { ...permit.domain, chainId: 97 } }],
    [
      "a domain without the token",
      { ...permit, types: { ...permit.types, EIP712Domain: domainFields.slice(0, 3).map(field) } },
    ],
    ["other fields", { ...permit, types: { ...permit.types, Permit: permitFields.toReversed().map(field) } }],
  ])("is noticed with %s", (_, altered) => {
    expect(check({ ...sell, permit: altered }, "sell")).toBe("another permit");
  });

  test("is noticed where there is nothing to permit", () => {
    expect(check({ ...quoteOf({ side: "buy", venue: "curve" }), permit }, "buy")).toBe("another permit");
    expect(check({ ...quoteOf({ side: "sell", venue: "dex" }), permit }, "sell")).toBe("another permit");
  });
});

test("another function is noticed, and so is an unknown one", () => {
  const quote = quoteOf({ side: "buy", venue: "curve" });
  const withData = (data: string) => changed(quote, { data });
  const args = [mint, 1_000n, 990n, 1_700_000_000n] as const;
  const sell = encodeFunctionData({ abi: launchpadAbi, functionName: "sell", args });
  expect(check(withData(sell), "buy")).toMatch(/\w/);
  expect(check(withData("0x12345678"), "buy")).toMatch(/function/);
});

test("if the curve ends within a buy, the limit bounds the price of the part that is taken", () => {
  const quote = { ...quoteOf({ side: "buy", venue: "curve", least: 1_980n }), refundWei: "500" };
  expect(check(quote, "buy")).toBeUndefined();
});

test("a refund that no trade has doesn't excuse another minimum", () => {
  for (const kind of kinds) {
    const refunds = kind.side === "buy" ? ["-1", "-988000", "1001"] : ["-988000", "1"];
    for (const refundWei of refunds) {
      for (const least of [1n, 990n]) {
        expect(check({ ...quoteOf({ ...kind, least }), refundWei }, kind.side)).toMatch(/\w/);
      }
    }
  }
});

test("another amount of BNB is noticed: more than was typed, and any with a sell", () => {
  for (const kind of kinds) {
    expect(check(changed(quoteOf(kind), { value: "1001" }), kind.side)).toMatch(/amount of BNB/);
  }
});

test("a minimum below the chosen slippage is noticed, though the quote agrees with its bytes", () => {
  for (const kind of kinds) {
    const quote = quoteOf(kind);
    const minimum = kind.side === "buy" ? { minAmountOutRaw: "989" } : { minAmountOutWei: "989" };
    expect(check({ ...quoteOf({ ...kind, least: 989n }), ...minimum }, kind.side)).toMatch(/slippage/);
    expect(findContradiction(quote, { ...asked, ...kind, slippagePercent: 0.5 }, contracts)).toMatch(
      /slippage/,
    );
  }
});

test("a quote for another chain is noticed, and so is a deadline beyond the latest acceptable one", () => {
  for (const kind of kinds) {
    const quote = quoteOf(kind);
    const trade = { ...asked, side: kind.side };
    expect(findContradiction(quote, trade, { ...contracts, chainId: 97 })).toMatch(/another chain/);
    expect(findContradiction(quote, { ...trade, latestDeadline: quote.deadline }, contracts)).toBeUndefined();
    const earlier = { ...trade, latestDeadline: quote.deadline - 1 };
    expect(findContradiction(quote, earlier, contracts)).toMatch(/later deadline/);
  }
});

test("forms of a transaction that differ are noticed, whichever one is sent", () => {
  for (const kind of kinds) {
    const quote = quoteOf(kind);
    for (const change of [{ to: other }, { data: "0x" }, { value: "7" }, { chainId: 97 }]) {
      const transaction = { ...quote.transaction, ...change } as Quote["transaction"];
      expect(check({ ...quote, transaction }, kind.side)).toMatch(/\w/);
    }
  }
});

test("a second encoding of the same call, and arguments after the last one, are refused", () => {
  const quote = quoteOf({ side: "buy", venue: "dex" });
  const data = quote.transaction?.data ?? "";
  const moved = data.replace(`${"80".padStart(64, "0")}`, `${"a0".padStart(64, "0")}`);
  expect(moved).not.toBe(data);
  for (const other of [
    moved,
    `${data}00`,
    `${data}${"0".repeat(64)}`,
    data.slice(0, -64),
    `${data.slice(0, -1)}g`,
  ]) {
    expect(check(changed(quote, { data: other }), "buy")).toMatch(/\w/);
  }
});

test("a malformed quote is a contradiction, not an error", () => {
  const quote = quoteOf({ side: "buy", venue: "curve" });
  for (const broken of [
    { amountOutRaw: "1.5" },
    { amountInWei: "" },
    { transaction: {} },
    { mint: undefined },
    { deadline: "x" },
  ]) {
    expect(check({ ...quote, ...broken } as unknown as Quote, "buy")).toMatch(/\w/);
  }
});

test("without a known router, no trade on the DEX is accepted", () => {
  const quote = quoteOf({ side: "buy", venue: "dex" });
  const trade = { ...asked, side: "buy" as const };
  expect(findContradiction(quote, trade, { chainId: 56, launchpad })).toMatch(/another contract/);
});
