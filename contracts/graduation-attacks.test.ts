import { type Address, type Hex, parseEventLogs, zeroAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dexPairAbi } from "../abis/DexPair.ts";
import { expectFairGraduation, reservesOf } from "./test/graduation.ts";
import {
  alice,
  bob,
  carol,
  creator,
  dexes,
  fullPrice,
  type Harness,
  milliBnb,
  startHarness,
} from "./test/harness.ts";
import { pairActions, saltFor, switchFeeOn, tokenOrders } from "./test/pair-actions.ts";

const attacker = carol;
const maxReserve = 2n ** 112n - 1n;

describe.each(dexes)("on %s", (dex) => {
  let chain: Harness;
  let attack: ReturnType<typeof pairActions>;
  let snapshot: Hex;

  beforeAll(async () => {
    chain = await startHarness(dex);
    attack = pairActions(chain, attacker);
    await chain.testClient.setBalance({ address: attacker, value: 2n ** 115n });
  });

  afterAll(() => chain?.stop());

  beforeEach(async () => {
    snapshot = await chain.testClient.snapshot();
  });

  afterEach(() => chain.testClient.revert({ id: snapshot }));

  /** Tries everything that a pair can do with the BNB and tokens that it was sent. */
  async function expectUntouchable(token: Address, pair: Address) {
    for (const [functionName, args] of [
      ["sync", []],
      ["skim", [attacker]],
      ["mint", [attacker]],
      ["burn", [attacker]],
      ["swap", [1n, 0n, attacker, "0x"]],
      ["swap", [0n, 1n, attacker, "0x"]],
    ] as const) {
      await expect(attack.callPair(pair, functionName, [...args]), functionName).rejects.toThrow("reverted");
    }
    expect(await reservesOf(chain, token)).toEqual({ tokenReserve: 0n, wbnbReserve: 0n });
  }

  describe.each(tokenOrders)("with the token as the pair's %s", (order) => {
    test.each([
      ["nothing", 0n],
      ["1 wei", 1n],
      ["half of the liquidity", fullPrice / 2n],
      ["just the liquidity", fullPrice],
      ["1,000,000 BNB", 1_000_000n * 1_000n * milliBnb],
      ["all that a reserve can hold", maxReserve],
      ["more than a reserve can hold", 2n * maxReserve],
    ])("%s of WBNB in the pair is no trade, and goes to the creator", async (_, donated) => {
      const token = await chain.createTokenWithSalt(await saltFor(chain, order));
      await chain.buy(token, fullPrice / 3n, attacker);
      const pair = await chain.pairOf(token);
      if (donated > 0n) await attack.donate(pair, donated);
      await expectUntouchable(token, pair);

      const receipt = await chain.buy(token, fullPrice, bob);
      await expectFairGraduation(chain, token, receipt);
      expect(await chain.balanceOf(chain.wbnb, creator)).toBe(donated);
      const ofPair = parseEventLogs({ abi: dexPairAbi, logs: receipt.logs }).filter(
        ({ address }) => address === pair.toLowerCase(),
      );
      expect(ofPair.map(({ eventName }) => eventName)).toEqual(["Transfer", "Transfer", "Sync", "Mint"]);
    });

    test("a pair that was created and sent WBNB before its token exists", async () => {
      const salt = await saltFor(chain, order);
      const predicted = await chain.predictTokenAddress(salt);
      const pair = await attack.createPair(predicted);
      await attack.donate(pair, 7n * fullPrice);
      await expectUntouchable(predicted, pair);

      const token = await chain.createTokenWithSalt(salt);
      expect([token, await chain.pairOf(token)]).toEqual([predicted, pair]);
      await expectUntouchable(token, pair);
      await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, alice));
      expect(await chain.balanceOf(chain.wbnb, creator)).toBe(7n * fullPrice);
    });

    test("the pair of a token that its creator sells out at once", async () => {
      const salt = await saltFor(chain, order);
      const pair = await attack.createPair(await chain.predictTokenAddress(salt));
      await attack.donate(pair, fullPrice);
      const receipt = await chain.createTokenAndBuy(fullPrice, { salt, from: bob });
      await expectFairGraduation(chain, await chain.predictTokenAddress(salt), receipt);
      expect(await chain.balanceOf(chain.wbnb, bob)).toBe(fullPrice);
    });

    test("a DEX that takes its share of the fees changes nothing", async () => {
      await switchFeeOn(chain, alice);
      const token = await chain.createTokenWithSalt(await saltFor(chain, order));
      const pair = await chain.pairOf(token);
      await attack.donate(pair, 3n * fullPrice);
      await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, bob));
      expect(await chain.balanceOf(pair, alice)).toBe(0n);
      expect(await chain.balanceOf(pair, zeroAddress)).toBe(1_000n);
    });
  });

  test("a pair that was created for the next address of createToken", async () => {
    const predicted = await chain.predictNextTokenAddress(creator);
    const pair = await attack.createPair(predicted);
    await attack.donate(pair, 1n);

    const token = await chain.createToken();
    expect(token).toBe(predicted);
    await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, alice));
  });

  test("BNB forced into the pair, the token or the launchpad changes nothing", async () => {
    const token = await chain.createToken();
    for (const address of [await chain.pairOf(token), token, chain.launchpad]) {
      await chain.testClient.setBalance({ address, value: 10n ** 24n });
    }
    await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, alice));
  });

  test("WBNB sent to the launchpad is not mistaken for liquidity", async () => {
    const token = await chain.createToken();
    await attack.donate(chain.launchpad, 5n);
    const { logs } = await chain.buy(token, fullPrice, alice);
    const [mint] = parseEventLogs({ abi: dexPairAbi, eventName: "Mint", logs });
    expect([mint?.args.amount0, mint?.args.amount1]).toContain(fullPrice);
    expect(await chain.balanceOf(chain.wbnb, chain.launchpad)).toBe(5n);
  });

  test("after graduation the pair behaves like any other", async () => {
    const token = await chain.createToken();
    const pair = await chain.pairOf(token);
    await chain.buy(token, fullPrice, attacker);
    await attack.donate(pair, 5n);
    await chain.transfer(token, attacker, pair, 7n);
    await attack.callPair(pair, "skim", [bob]);
    expect([await chain.balanceOf(chain.wbnb, bob), await chain.balanceOf(token, bob)]).toEqual([5n, 7n]);
    await attack.donate(pair, 5n);
    await attack.callPair(pair, "sync");
    expect((await reservesOf(chain, token)).wbnbReserve).toBe(fullPrice + 5n);
  });
});
