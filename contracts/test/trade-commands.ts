import fc from "fast-check";
import type { Address } from "viem";
import { expect } from "vitest";
import { expectFairGraduation } from "./graduation.ts";
import { alice, forever, type Harness, milliBnb } from "./harness.ts";
import { anyBnb, anyToken, anyTrader, holderOf, step, tokenAt } from "./market-commands.ts";
import { robot } from "./market-invariants.ts";
import {
  amountOf,
  applyBuy,
  applySale,
  buyOutcome,
  endBnb,
  endTokens,
  exactOutcome,
  type Market,
  type ModelToken,
  saleOutcome,
  settleBuy,
  strayOf,
} from "./market-model.ts";
import { expectRevert, gasPaidBy } from "./outcomes.ts";
import { signPermit } from "./permits.ts";

const unlimited = 2n ** 256n - 1n;

type Buy = {
  token: ModelToken;
  trader: Address;
  value: bigint;
  limit: bigint;
  /** With one: by `buyFor`, whose limit is absolute. */
  recipient?: Address | undefined;
};

/** Buys, and expects what the model does: that it succeeds if and only if its limit allows it. */
async function buy(
  { token, trader, value, limit, recipient }: Buy,
  market: Market,
  chain: Harness,
): Promise<string> {
  const bought = () =>
    recipient === undefined
      ? chain.buy(token.address, value, trader, limit, forever)
      : chain.buyFor(token.address, value, recipient, trader, limit);
  if (token.graduated) {
    await expectRevert(bought(), "AlreadyGraduated");
    return "buy after graduation";
  }
  const { cost, graduates, tokensOut, ...outcome } = buyOutcome(token, value, limit);
  const allowed = recipient === undefined ? outcome.allowed : tokensOut >= limit;
  if (!allowed) {
    await expectRevert(bought(), "InsufficientOutput");
    return "buy beyond its limit";
  }
  const before = await chain.publicClient.getBalance({ address: trader });
  const receipt = await bought();
  const after = await chain.publicClient.getBalance({ address: trader });
  expect(before - after - gasPaidBy(trader, receipt)).toBe(cost);
  applyBuy(market, token, recipient ?? trader, value);
  if (!graduates) return recipient === undefined ? "buy" : "buy for somebody";
  await expectFairGraduation(chain, token.address, receipt, strayOf(market, token, chain.launchpad));
  return limit > 0n ? "graduation within a limit" : "graduation";
}

const anyRecipient = fc.option(anyTrader, { nil: undefined });

/** A buy of a number of tokens, up to and beyond all that are left. */
export const anyExactBuy = fc
  .record({
    index: anyToken,
    trader: anyTrader,
    recipient: anyTrader,
    /** In millionths of what is left; more than a million stands for that and so many base units less. */
    share: fc.oneof(fc.bigInt(1n, 300_000n), fc.bigInt(1n, 1_000_000n), fc.bigInt(1_000_000n, 1_000_020n)),
    /** Wei that are paid in beyond the cost. */
    extra: fc.constantFrom(0n, 1n, milliBnb),
  })
  .map((values) =>
    step("buy exactly", values, async ({ index, trader, recipient, share, extra }, market, chain) => {
      const token = tokenAt(market, index);
      const left = token.tokenReserves - endTokens(token);
      const tokens = share > 1_000_000n ? left - share + 1_000_000n : (left * share) / 1_000_000n;
      const bought = (value: bigint, wanted = tokens) =>
        chain.buyExactOut(token.address, wanted, value, trader, recipient);
      if (token.graduated) {
        await expectRevert(bought(1n, 1n), "AlreadyGraduated");
        return "exact buy after graduation";
      }
      await expectRevert(bought(endBnb, left + 1n), "InsufficientOutput");
      if (tokens <= 0n) return "exact buy of nothing";
      const { cost, tokensOut, graduates } = exactOutcome(token, tokens);
      await expectRevert(bought(cost - 1n), "InsufficientInput");
      const before = await chain.publicClient.getBalance({ address: trader });
      const receipt = await bought(cost + extra);
      const after = await chain.publicClient.getBalance({ address: trader });
      expect(before - after - gasPaidBy(trader, receipt)).toBe(cost);
      settleBuy(market, token, recipient, { cost, tokensOut, graduates });
      if (!graduates) return "exact buy";
      await expectFairGraduation(chain, token.address, receipt, strayOf(market, token, chain.launchpad));
      return "exact buy of all";
    }),
  );

export const anyBuy = fc
  .record({ index: anyToken, trader: anyTrader, value: anyBnb, recipient: anyRecipient })
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
    recipient: anyRecipient,
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
      const { trader, recipient } = given;
      return await buy({ token, trader, value, limit, recipient }, market, chain);
    }),
  );

/** A sell by signature, with the seller's own or somebody else's, which somebody else may use first. */
export const anyPermitSell = fc
  .record({
    index: anyToken,
    trader: anyTrader,
    signer: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyTrader }),
    millionths: fc.bigInt(1n, 1_000_000n),
    isUsedFirst: fc.boolean(),
  })
  .map((values) =>
    step("sell by permit", values, async ({ index, trader: wished, millionths, ...given }, market, chain) => {
      const token = tokenAt(market, index);
      const trader = holderOf(token, wished);
      const wishedSigner = given.signer ?? trader;
      // A contract has no key.
      const signer = wishedSigner === robot ? alice : wishedSigner;
      const amount = (amountOf(token.balances, trader) * millionths) / 1_000_000n;
      const signed = await signPermit(chain, token.address, { owner: trader, value: amount, signer });
      const sell = (limit = 0n) => chain.sellWithPermit(token.address, signed, trader, limit);
      const outcome = saleOutcome(token, amount);
      if (token.graduated) return await refused(sell(), "AlreadyGraduated");
      if (amount === 0n) return await refused(sell(), "ZeroAmount");
      if (signer !== trader && amountOf(token.allowances, trader) < amount) {
        return await refused(sell(), "ERC20InsufficientAllowance");
      }
      if (outcome === 0n) return await refused(sell(), "ZeroOutput");
      if (given.isUsedFirst && signer === trader) await chain.permit(token.address, signed);
      await refused(sell(outcome + 1n), "InsufficientOutput");
      await sell(outcome);
      // The permit replaced the allowance, and the sale used it up.
      if (signer === trader) token.allowances.set(trader, amount);
      applySale(token, trader, amount);
      return "sell by permit";
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

export const anySell = fc
  .record({ index: anyToken, trader: anyTrader, sale: anySale, recipient: anyRecipient })
  .map((values) =>
    step("sell", values, async ({ index, trader, sale, recipient = trader }, market, chain) => {
      const token = tokenAt(market, index);
      const balance = amountOf(token.balances, trader);
      const amount = sale.units ?? (balance * sale.millionths) / 1_000_000n;
      const sell = (limit = 0n) =>
        recipient === trader
          ? chain.sell(token.address, amount, trader, limit)
          : chain.sellTo(token.address, amount, recipient, trader, limit);
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
      const before = await chain.publicClient.getBalance({ address: recipient });
      const receipt = await sell(outcome);
      const after = await chain.publicClient.getBalance({ address: recipient });
      expect(after - before + gasPaidBy(recipient, receipt)).toBe(outcome);
      applySale(token, trader, amount);
      return recipient === trader ? "sell" : "sell for somebody";
    }),
  );

async function refused(trade: Promise<unknown>, error: string) {
  await expectRevert(trade, error);
  return `sell refused with ${error}`;
}
