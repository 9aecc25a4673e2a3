import fc from "fast-check";
import type { Address } from "viem";
import { expect } from "vitest";
import { expectFairGraduation } from "./graduation.ts";
import { forever, type Harness } from "./harness.ts";
import { anyBnb, anyToken, anyTrader, step, tokenAt } from "./market-commands.ts";
import {
  amountOf,
  applyBuy,
  applySale,
  buyOutcome,
  endBnb,
  type Market,
  type ModelToken,
  saleOutcome,
  strayOf,
} from "./market-model.ts";
import { expectRevert, gasCost } from "./outcomes.ts";

const unlimited = 2n ** 256n - 1n;

/** Buys, and expects what the model does: that it succeeds if and only if its limit allows it. */
async function buy(
  { token, trader, value, limit }: { token: ModelToken; trader: Address; value: bigint; limit: bigint },
  market: Market,
  chain: Harness,
): Promise<string> {
  const bought = () => chain.buy(token.address, value, trader, limit, forever);
  if (token.graduated) {
    await expectRevert(bought(), "AlreadyGraduated");
    return "buy after graduation";
  }
  const { cost, graduates, allowed } = buyOutcome(token, value, limit);
  if (!allowed) {
    await expectRevert(bought(), "InsufficientOutput");
    return "buy beyond its limit";
  }
  const before = await chain.publicClient.getBalance({ address: trader });
  const receipt = await bought();
  const after = await chain.publicClient.getBalance({ address: trader });
  expect(before - after - gasCost(receipt)).toBe(cost);
  applyBuy(market, token, trader, value);
  if (!graduates) return "buy";
  await expectFairGraduation(chain, token.address, receipt, strayOf(market, token, chain.launchpad));
  return limit > 0n ? "graduation within a limit" : "graduation";
}

export const anyBuy = fc
  .record({ index: anyToken, trader: anyTrader, value: anyBnb })
  .map((values) =>
    step("buy", values, ({ index, ...rest }, market, chain) =>
      buy({ ...rest, token: tokenAt(market, index), limit: 0n }, market, chain),
    ),
  );

/** A buy with a limit from the current price, before which somebody else trades. */
export const anyLimitedBuy = fc
  .record({
    index: anyToken,
    trader: anyTrader,
    value: anyBnb,
    /** In thousandths of what the curve still takes, in place of `value`. */
    ofRest: fc.constantFrom(undefined, undefined, 999n, 1_000n, 1_000n, 1_001n, 2_500n),
    /** Hundredths of a percent. */
    slippage: fc.constantFrom(0n, 1n, 100n, 1_000n, 5_000n),
    rival: anyTrader,
    /** What the rival pays, in thousandths of `value`. */
    rivalShare: fc.constantFrom(0n, 0n, 1n, 20n, 300n),
  })
  .map((values) =>
    step("buy within a limit", values, async (given, market, chain) => {
      const token = tokenAt(market, given.index);
      const rest = endBnb - token.bnbReserves;
      const ofRest = token.graduated || given.ofRest === undefined ? 0n : (rest * given.ofRest) / 1_000n;
      const value = ofRest > 0n ? ofRest : given.value;
      const { tokensOut, cost } = token.graduated
        ? { tokensOut: 0n, cost: 1n }
        : buyOutcome(token, value, 0n);
      const least = (tokensOut * (10_000n - given.slippage) + 9_999n) / 10_000n;
      const limit = (least * value) / cost;
      const rivalValue = (value * given.rivalShare) / 1_000n;
      if (rivalValue > 0n)
        await buy({ token, trader: given.rival, value: rivalValue, limit: 0n }, market, chain);
      return await buy({ token, trader: given.trader, value, limit }, market, chain);
    }),
  );

/** An amount in millionths of the seller's balance, or in base units. */
const anySale = fc.oneof(
  fc.record({ millionths: fc.bigInt(1n, 1_000_000n), units: fc.constant(undefined) }),
  fc.record({
    millionths: fc.constant(0n),
    units: fc.oneof(fc.bigInt(1n, 10n ** 10n), fc.bigInt(1n, 10n ** 13n)),
  }),
);

export const anySell = fc.record({ index: anyToken, trader: anyTrader, sale: anySale }).map((values) =>
  step("sell", values, async ({ index, trader, sale }, market, chain) => {
    const token = tokenAt(market, index);
    const balance = amountOf(token.balances, trader);
    const amount = sale.units ?? (balance * sale.millionths) / 1_000_000n;
    const sell = (limit = 0n) => chain.sell(token.address, amount, trader, limit);
    const outcome = saleOutcome(token, amount);
    if (token.graduated) return await refused(sell(), "AlreadyGraduated");
    if (amount === 0n) return await refused(sell(), "ZeroAmount");
    if (amountOf(token.allowances, trader) < amount) {
      await refused(sell(), "ERC20InsufficientAllowance");
      await chain.approve(token.address, trader);
      token.allowances.set(trader, unlimited);
    }
    if (amount > balance) return await refused(sell(), "ERC20InsufficientBalance");
    if (outcome === 0n) return await refused(sell(), "ZeroOutput");
    await refused(sell(outcome + 1n), "InsufficientOutput");
    const before = await chain.publicClient.getBalance({ address: trader });
    const receipt = await sell(outcome);
    const after = await chain.publicClient.getBalance({ address: trader });
    expect(after - before + gasCost(receipt)).toBe(outcome);
    applySale(token, trader, amount);
    return "sell";
  }),
);

async function refused(trade: Promise<unknown>, error: string) {
  await expectRevert(trade, error);
  return `sell refused with ${error}`;
}
