import { expect, test } from "vitest";
import { dexTrade, tokenIsToken0 } from "./swap.ts";

const none = { amount0In: 0n, amount1In: 0n, amount0Out: 0n, amount1Out: 0n };

test("a swap that takes tokens out is a buy, on either side of the pair", () => {
  const buy = { side: "buy", bnbAmountWei: 5n, tokenAmountRaw: 700n };
  expect(dexTrade({ ...none, amount1In: 5n, amount0Out: 700n }, true)).toEqual(buy);
  expect(dexTrade({ ...none, amount0In: 5n, amount1Out: 700n }, false)).toEqual(buy);
});

test("a swap that brings tokens in is a sell, on either side of the pair", () => {
  const sell = { side: "sell", bnbAmountWei: 5n, tokenAmountRaw: 700n };
  expect(dexTrade({ ...none, amount0In: 700n, amount1Out: 5n }, true)).toEqual(sell);
  expect(dexTrade({ ...none, amount1In: 700n, amount0Out: 5n }, false)).toEqual(sell);
});

test("what flows both ways counts by its net", () => {
  expect(dexTrade({ amount0In: 10n, amount0Out: 710n, amount1In: 8n, amount1Out: 3n }, true)).toEqual({
    side: "buy",
    bnbAmountWei: 5n,
    tokenAmountRaw: 700n,
  });
  // Tokens lent and returned with a fee: nothing but the fee was sold, for nothing.
  expect(dexTrade({ ...none, amount0In: 103n, amount0Out: 100n }, true)).toEqual({
    side: "sell",
    bnbAmountWei: 0n,
    tokenAmountRaw: 3n,
  });
});

test("a sell that pays BNB in, as the fee of a loan or for nothing, brings none", () => {
  const loan = { ...none, amount1In: 103n, amount1Out: 100n };
  expect(dexTrade(loan, true)).toEqual({ side: "sell", bnbAmountWei: 0n, tokenAmountRaw: 0n });
  const gift = { amount0In: 10n, amount0Out: 7n, amount1In: 5n, amount1Out: 0n };
  expect(dexTrade(gift, true)).toEqual({ side: "sell", bnbAmountWei: 0n, tokenAmountRaw: 3n });
});

test("a buy that takes BNB out too costs nothing", () => {
  const both = { ...none, amount0Out: 700n, amount1Out: 5n };
  expect(dexTrade(both, true)).toEqual({ side: "buy", bnbAmountWei: 0n, tokenAmountRaw: 700n });
});

test("the reserve that matches the pair's token balance tells the token's side", () => {
  expect(tokenIsToken0(700n, 700n, 5n)).toBe(true);
  expect(tokenIsToken0(700n, 5n, 700n)).toBe(false);
});
