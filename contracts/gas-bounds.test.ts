import { type Abi, type Address, encodeFunctionData, type Hex, maxUint256 } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import { curveBuyGas, firstBuyGas } from "../src/api/quotes/transaction.ts";
import { alice, bob, carol, dexes, type Harness, startHarness } from "./test/harness.ts";
import { pairActions, saltFor, switchFeeOn, tokenOrders } from "./test/pair-actions.ts";

/* The gas limits that the interfaces promise, each in the most expensive circumstances that anybody else can create. */

const bounds = {
  graduatingBuy: 350_000n,
  otherBuy: 70_000n,
  exactBuy: 85_000n,
  createToken: 3_900_000n,
  firstBuy: 4_200_000n,
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
});

test("quotes request at least 8 % more than the bounds", () => {
  expect(BigInt(curveBuyGas) * 100n).toBeGreaterThanOrEqual(bounds.graduatingBuy * 108n);
  expect(BigInt(firstBuyGas) * 100n).toBeGreaterThanOrEqual(bounds.firstBuy * 108n);
});
