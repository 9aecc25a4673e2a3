import fc from "fast-check";
import { type Address, encodeFunctionData, parseEventLogs } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dexPairAbi } from "../abis/DexPair.ts";
import { dexRouterAbi } from "../abis/DexRouter.ts";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { sized } from "../test/run/long-run.ts";
import { dead, expectFairGraduation, liquidityOf, reservesOf } from "./test/graduation.ts";
import {
  alice,
  billion,
  bob,
  carol,
  dexes,
  forever,
  fullPrice,
  type Harness,
  milliBnb,
  startHarness,
} from "./test/harness.ts";
import { expectRevert } from "./test/outcomes.ts";

const allBurnPercents = Array.from({ length: 41 }, (_, index) => 30 + index);

describe.each(dexes)("on %s", (dex) => {
  let chain: Harness;
  let snapshot: `0x${string}`;
  // The curve doesn't know the DEX, so in `npm test` only the first DEX gets all of them.
  const burnPercents = sized({
    usual: allBurnPercents.filter((_, index) => dex === dexes[0] || index % 10 === 0),
    long: allBurnPercents,
  });

  beforeAll(async () => {
    chain = await startHarness(dex);
  });

  afterAll(() => chain?.stop());

  beforeEach(async () => {
    snapshot = await chain.testClient.snapshot();
  });

  afterEach(() => chain.testClient.revert({ id: snapshot }));

  test("0.05 BNB graduates in one buy at every burnPercent, at the curve's last price", async () => {
    for (const burnPercent of burnPercents) {
      const token = await chain.createToken({ burnPercent });
      await expectFairGraduation(chain, token, await chain.buy(token, fullPrice));
    }
  });

  test("0.05 BNB graduates in any number of buys at every burnPercent, and a wei less does not", async () => {
    const shares = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 2, maxLength: 8 });
    for (const [index, burnPercent] of burnPercents.entries()) {
      const token = await chain.createToken({ burnPercent });
      const [parts = []] = fc.sample(shares, { numRuns: 1, seed: index });
      const total = parts.reduce((sum, part) => sum + part, 0);
      let left = fullPrice - 1n;
      for (const part of parts.slice(1)) {
        const value = (fullPrice * BigInt(part)) / BigInt(total);
        await chain.buy(token, value);
        left -= value;
      }
      await chain.buy(token, left, bob);
      expect((await chain.curve(token)).graduated).toBe(false);
      await expectFairGraduation(chain, token, await chain.buy(token, 1n, carol));
    }
  });

  test("0.05 BNB net of sells graduates, whatever rounding the sells left behind", async () => {
    const token = await chain.createToken({ burnPercent: 37 });
    await chain.approve(token);
    for (let round = 0; round < 20; round += 1) {
      await chain.buy(token, 3n * milliBnb + BigInt(round), alice);
      await chain.sell(token, (await chain.balanceOf(token, alice)) / 3n + BigInt(round), alice);
    }
    const { virtualBnbReserves } = await chain.curve(token);
    await expectFairGraduation(
      chain,
      token,
      await chain.buy(token, 150n * milliBnb - virtualBnbReserves, bob),
    );
  });

  test("Graduated comes after everything the pair emits, and its liquidity is dead", async () => {
    const token = await chain.createToken();
    const pair = await chain.pairOf(token);
    const { logs } = await chain.buy(token, fullPrice);
    const events = parseEventLogs({ abi: [...launchpadAbi, ...dexPairAbi], logs });
    const names = events.filter(({ address }) =>
      [pair, chain.launchpad].some((a) => a.toLowerCase() === address),
    );

    expect(names.map(({ eventName }) => eventName)).toEqual([
      "Trade",
      "Transfer",
      "Transfer",
      "Sync",
      "Mint",
      "Graduated",
    ]);
    expect(events.at(-1)?.args).toEqual({
      token,
      pair,
      bnbLiquidity: fullPrice,
      tokenLiquidity: billion / 5n,
    });
    const { total, ofDead } = await liquidityOf(chain, pair);
    expect(ofDead).toBe(total - 1_000n);
    expect(await chain.balanceOf(pair, dead)).toBe(ofDead);
  });

  test("the router buys and sells a graduated token", async () => {
    const token = await chain.createToken();
    await chain.buy(token, fullPrice, alice);
    const { tokenReserve, wbnbReserve } = await reservesOf(chain, token);

    const kept = { "Uniswap V2": 9_970n, "PancakeSwap V2": 9_975n, "PancakeSwap's first version": 9_980n };
    const paid = milliBnb * kept[dex];
    const bought = (tokenReserve * paid) / (wbnbReserve * 10_000n + paid);
    const buyPath: Address[] = [chain.wbnb, token];
    await swap("swapExactETHForTokens", [bought, buyPath, bob, forever], milliBnb);
    expect(await chain.balanceOf(token, bob)).toBe(bought);

    await chain.approve(token, bob, chain.router);
    const receipt = await swap("swapExactTokensForETH", [bought, 1n, [token, chain.wbnb], bob, forever]);
    expect(parseEventLogs({ abi: dexPairAbi, eventName: "Swap", logs: receipt.logs })).toHaveLength(1);
    expect(await chain.balanceOf(token, bob)).toBe(0n);
  });

  function swap(
    functionName: "swapExactETHForTokens" | "swapExactTokensForETH",
    args: unknown[],
    value = 0n,
  ) {
    const data = encodeFunctionData({ abi: dexRouterAbi, functionName, args: args as never });
    return chain.send(bob, chain.router, data, value);
  }

  test("nobody can add liquidity before graduation, through the router or directly", async () => {
    const token = await chain.createToken();
    await chain.buy(token, 10n * milliBnb, alice);
    await chain.approve(token, alice, chain.router);
    const args = [token, 10n ** 24n, 0n, 0n, alice, forever] as const;
    const data = encodeFunctionData({ abi: dexRouterAbi, functionName: "addLiquidityETH", args });
    await expect(chain.send(alice, chain.router, data, milliBnb)).rejects.toThrow("TRANSFER_FROM_FAILED");
    await expectRevert(chain.transfer(token, alice, await chain.pairOf(token), 1n), "PairLocked");
  });
});
