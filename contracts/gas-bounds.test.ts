import { type Abi, type Address, encodeFunctionData, type Hex, maxUint256 } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dexRouterAbi } from "../abis/DexRouter.ts";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { launchTokenAbi } from "../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import { gasLimits } from "../src/api/quotes/transaction.ts";
import { alice, bob, carol, dexes, type Harness, milliBnb, startHarness } from "./test/harness.ts";
import { pairActions, saltFor, switchFeeOn, tokenOrders } from "./test/pair-actions.ts";
import { signPermit } from "./test/permits.ts";

/* The gas limits that the interfaces promise, each in the most expensive circumstances that anybody else can create. */

const bounds = {
  graduatingBuy: 350_000n,
  otherBuy: 70_000n,
  exactBuy: 85_000n,
  createToken: 3_900_000n,
  firstBuy: 4_200_000n,
  sell: 100_000n,
  permitSell: 160_000n,
  approval: 60_000n,
  dexTrade: 200_000n,
};
const bnb = 10n ** 18n;
/** The longest name and symbol that are allowed. */
const longest = { name: "N".repeat(64), symbol: "S".repeat(16) };

describe.each(dexes)("on %s", (dex) => {
  let chain: Harness;
  let snapshot: Hex;

  beforeAll(async () => {
    chain = await startHarness(dex);
  });

  afterAll(() => chain?.stop());

  beforeEach(async () => {
    snapshot = await chain.testClient.snapshot();
  });

  afterEach(() => chain.testClient.revert({ id: snapshot }));

  /** The lowest gas limit with which a call from a fresh account succeeds. */
  function gasOf(to: Address, abi: Abi, functionName: string, args: readonly unknown[], value = 0n) {
    const data = encodeFunctionData({ abi, functionName, args: args as unknown[] });
    return chain.publicClient.estimateGas({ account: alice, to, data, value });
  }

  const buyGas = (token: Address, value: bigint) =>
    gasOf(chain.launchpad, launchpadAbi, "buy", [token, 10n ** 20n, maxUint256], value);

  describe.each([false, true])("with the DEX's share of the fees: %s", (feeOn) => {
    test.each(tokenOrders)("a graduating buy, with the token as the pair's %s", async (order) => {
      if (feeOn) await switchFeeOn(chain, bob);
      const token = await chain.createTokenWithSalt(await saltFor(chain, order));
      const alone = await buyGas(token, 1_000n * bnb);
      await pairActions(chain, carol).donate(await chain.pairOf(token), bnb);
      const dearest = await buyGas(token, 1_000n * bnb);
      expect(dearest).toBeGreaterThan(alone);
      expect(dearest).toBeLessThanOrEqual(bounds.graduatingBuy);

      // With tokens for one fresh account, and a refund for another.
      const { realTokenReserves: all } = await chain.curve(token);
      for (const functionName of ["buyFor", "buyExactOut"] as const) {
        const forBob = [token, bob, all, maxUint256] as const;
        const gas = await gasOf(chain.launchpad, launchpadAbi, functionName, forBob, 1_000n * bnb);
        expect(gas, functionName).toBeLessThanOrEqual(bounds.graduatingBuy);
      }

      const args = [token, 10n ** 20n, maxUint256] as const;
      const data = encodeFunctionData({ abi: launchpadAbi, functionName: "buy", args });
      await chain.send(alice, chain.launchpad, data, 1_000n * bnb, bounds.graduatingBuy);
    });

    test.each(tokenOrders)("a first buy that graduates, with the token as the pair's %s", async (order) => {
      if (feeOn) await switchFeeOn(chain, bob);
      const salt = await saltFor(chain, order, longest);
      const token = await chain.predictTokenAddress(salt, longest);
      // The pair's future address already has WBNB.
      const start = await chain.testClient.snapshot();
      const pair = await pairActions(chain, carol).createPair(token);
      await chain.testClient.revert({ id: start });
      await pairActions(chain, carol).donate(pair, bnb);

      const args = [longest.name, longest.symbol, 50, salt, 10n ** 20n] as const;
      const create = [chain.tokenFactory, tokenFactoryAbi, "createTokenAndBuy", args] as const;
      expect(await gasOf(...create, 1_000n * bnb)).toBeLessThanOrEqual(bounds.firstBuy);
      const forBob = [chain.tokenFactory, tokenFactoryAbi, "createFor", [...args, bob]] as const;
      expect(await gasOf(...forBob, 1_000n * bnb)).toBeLessThanOrEqual(bounds.firstBuy);
      const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createTokenAndBuy", args });
      await chain.send(alice, chain.tokenFactory, data, 1_000n * bnb, bounds.firstBuy);
      expect((await chain.curve(token)).graduated).toBe(true);
    });
  });

  test("any other buy, and a creation", async () => {
    const token = await chain.createToken();
    expect(await buyGas(token, bnb / 1_000n)).toBeLessThanOrEqual(bounds.otherBuy);
    for (const functionName of ["buyFor", "buyExactOut"] as const) {
      const forBob = [token, bob, 10n ** 20n, maxUint256] as const;
      const gas = await gasOf(chain.launchpad, launchpadAbi, functionName, forBob, bnb / 1_000n);
      // A refund costs more.
      expect(gas, functionName).toBeLessThanOrEqual(
        functionName === "buyFor" ? bounds.otherBuy : bounds.exactBuy,
      );
    }
    const args = [longest.name, longest.symbol, 50];
    const creation = await gasOf(chain.tokenFactory, tokenFactoryAbi, "createToken", args);
    expect(creation).toBeLessThanOrEqual(bounds.createToken);
  });

  test("approvals and sales on the curve", async () => {
    const token = await chain.createToken();
    await chain.buy(token, 20n * milliBnb, alice);
    await chain.buy(token, 20n * milliBnb, bob);
    const balance = await chain.balanceOf(token, alice);
    const approve = [chain.launchpad, balance] as const;
    expect(await gasOf(token, launchTokenAbi, "approve", approve)).toBeLessThanOrEqual(bounds.approval);
    for (const amount of [balance, balance / 2n]) {
      const { deadline, v, r, s } = await signPermit(chain, token, { owner: alice, value: amount });
      const signed = [token, amount, 0n, deadline, v, r, s] as const;
      const byPermit = await gasOf(chain.launchpad, launchpadAbi, "sellWithPermit", signed);
      expect(byPermit).toBeLessThanOrEqual(bounds.permitSell);
    }
    // Of all tokens and to the last unit of the allowance, or not, and paid to a fresh account.
    for (const allowance of [balance, maxUint256]) {
      await chain.approve(token, alice, chain.launchpad, allowance);
      for (const amount of [balance, balance / 2n]) {
        const args = [token, amount, 0n, maxUint256] as const;
        expect(await gasOf(chain.launchpad, launchpadAbi, "sell", args)).toBeLessThanOrEqual(bounds.sell);
      }
    }
  });

  test("trades on the DEX, in a new second, with fees that the DEX takes", async () => {
    await switchFeeOn(chain, bob);
    const token = await chain.createToken();
    await chain.buy(token, 1_000n * bnb, bob);
    await chain.transfer(token, bob, alice, 10n ** 24n);
    await chain.approve(token, alice, chain.router);
    for (const seconds of [0, 3_600]) {
      if (seconds > 0) {
        await chain.testClient.increaseTime({ seconds });
        await chain.testClient.mine({ blocks: 1 });
      }
      const { router, wbnb } = chain;
      const sale = [10n ** 24n, 1n, [token, wbnb], alice, maxUint256] as const;
      const purchase = [1n, [wbnb, token], alice, maxUint256] as const;
      for (const gas of [
        await gasOf(router, dexRouterAbi, "swapExactTokensForETH", sale),
        await gasOf(router, dexRouterAbi, "swapExactETHForTokens", purchase, milliBnb),
      ]) {
        expect(gas).toBeLessThanOrEqual(bounds.dexTrade);
      }
    }
  });
});

test.each([
  [gasLimits.curveBuy, bounds.graduatingBuy],
  [gasLimits.firstBuy, bounds.firstBuy],
  [gasLimits.creation, bounds.createToken],
  [gasLimits.curveSell, bounds.sell],
  [gasLimits.permitSell, bounds.permitSell],
  [gasLimits.approval, bounds.approval],
  [gasLimits.dexTrade, bounds.dexTrade],
])("the limit %i of quotes is at least 8 %% more than the bound %i", (limit, bound) => {
  expect(BigInt(limit) * 100n).toBeGreaterThanOrEqual(bound * 108n);
});
