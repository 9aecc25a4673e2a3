import {
  type Address,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseEventLogs,
  zeroAddress,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dexFactoryAbi } from "../abis/DexFactory.ts";
import { dexPairAbi } from "../abis/DexPair.ts";
import { wbnbAbi } from "../abis/Wbnb.ts";
import { expectFairGraduation } from "./test/graduation.ts";
import {
  alice,
  bob,
  carol,
  creator,
  deployer,
  fullPrice,
  type Harness,
  milliBnb,
  startHarness,
} from "./test/harness.ts";

const attacker = carol;
const maxReserve = 2n ** 112n - 1n;

let chain: Harness;
let snapshot: Hex;

beforeAll(async () => {
  chain = await startHarness();
  await chain.testClient.setBalance({ address: attacker, value: 2n ** 114n });
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

async function donate(pair: Address, amount: bigint) {
  const deposit = encodeFunctionData({ abi: wbnbAbi, functionName: "deposit" });
  await chain.send(attacker, chain.wbnb, deposit, amount);
  await chain.transfer(chain.wbnb, attacker, pair, amount);
}

function callPair(pair: Address, functionName: "sync" | "mint" | "skim" | "swap", args: unknown[] = []) {
  const data = encodeFunctionData({ abi: dexPairAbi, functionName, args: args as never });
  return chain.send(attacker, pair, data);
}

async function createPair(token: Address) {
  const args = [token, chain.wbnb] as const;
  const data = encodeFunctionData({ abi: dexFactoryAbi, functionName: "createPair", args });
  await chain.send(attacker, chain.dexFactory, data);
  return chain.pairOf(token);
}

/** A salt whose token comes before WBNB in the pair, or after it. */
async function saltFor(order: "token0" | "token1"): Promise<Hex> {
  for (let number = 0; ; number += 1) {
    const salt = numberToHex(number, { size: 32 });
    const address = await chain.predictTokenAddress(salt);
    if (address.toLowerCase() < chain.wbnb.toLowerCase() === (order === "token0")) return salt;
  }
}

describe.each(["token0", "token1"] as const)("with the token as the pair's %s", (order) => {
  test.each([
    ["nothing", 0n],
    ["1 wei", 1n],
    ["a wei less than half of the liquidity", fullPrice / 2n - 1n],
    ["half of the liquidity", fullPrice / 2n],
    ["a wei more than half of the liquidity", fullPrice / 2n + 1n],
    ["just the liquidity", fullPrice],
    ["1 BNB", 1_000n * milliBnb],
    ["1,000,000 BNB", 1_000_000n * 1_000n * milliBnb],
    ["all that a reserve can hold", maxReserve],
  ])("%s of WBNB in the reserves, and more beside them, goes to the creator", async (_, synced) => {
    for (const unsynced of [0n, 1n, fullPrice, maxReserve]) {
      const start = await chain.testClient.snapshot();
      const token = await chain.createTokenWithSalt(await saltFor(order));
      await chain.buy(token, fullPrice / 3n, attacker);
      const pair = await chain.pairOf(token);
      if (synced > 0n) await donate(pair, synced);
      await callPair(pair, "sync");
      if (unsynced > 0n) await donate(pair, unsynced);

      await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, bob));
      expect(await chain.balanceOf(chain.wbnb, creator)).toBe(synced + unsynced);
      await chain.testClient.revert({ id: start });
    }
  });

  test("a pair that was created and skewed before its token exists", async () => {
    const salt = await saltFor(order);
    const pair = await createPair(await chain.predictTokenAddress(salt));
    await donate(pair, 7n * fullPrice);
    // The token has no code yet, so the pair cannot sync; after its creation it can.
    await expect(callPair(pair, "sync")).rejects.toThrow("reverted");

    const token = await chain.createTokenWithSalt(salt);
    expect(await chain.pairOf(token)).toBe(pair);
    await callPair(pair, "sync");
    await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, alice));
    expect(await chain.balanceOf(chain.wbnb, creator)).toBe(7n * fullPrice);
  });
});

test("a pair that was created for the next address of createToken", async () => {
  const nonce = await chain.publicClient.getTransactionCount({ address: chain.tokenFactory });
  const predicted = getContractAddress({ from: chain.tokenFactory, nonce: BigInt(nonce) });
  const pair = await createPair(predicted);
  await donate(pair, 1n);

  const token = await chain.createToken();
  expect(token).toBe(predicted);
  await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, alice));
});

test("the attacker can neither mint liquidity nor swap before graduation, whatever was donated", async () => {
  const token = await chain.createToken();
  const pair = await chain.pairOf(token);
  await donate(pair, fullPrice);
  await expect(callPair(pair, "mint", [attacker])).rejects.toThrow("reverted");
  await callPair(pair, "sync");
  await donate(pair, fullPrice);
  await expect(callPair(pair, "mint", [attacker])).rejects.toThrow("reverted");
  for (const amounts of [
    [1n, 0n],
    [0n, 1n],
  ]) {
    await expect(callPair(pair, "swap", [...amounts, attacker, "0x"])).rejects.toThrow(
      "INSUFFICIENT_LIQUIDITY",
    );
  }
  await callPair(pair, "skim", [attacker]);
  expect(await chain.balanceOf(chain.wbnb, attacker)).toBe(fullPrice);
});

test("draining a skewed pair is a swap of the launchpad's, before Graduated", async () => {
  const token = await chain.createToken();
  const pair = await chain.pairOf(token);
  await donate(pair, fullPrice);
  await callPair(pair, "sync");
  const { logs } = await chain.buy(token, fullPrice);
  const [swap] = parseEventLogs({ abi: dexPairAbi, eventName: "Swap", logs });
  expect(swap?.args).toMatchObject({ sender: chain.launchpad, to: creator });
  expect(swap?.logIndex).toBeLessThan(logs.at(-1)?.logIndex ?? 0);
});

test("a DEX that takes its share of the fees changes nothing", async () => {
  const setFeeTo = { abi: dexFactoryAbi, functionName: "setFeeTo", args: [alice] } as const;
  await chain.send(deployer, chain.dexFactory, encodeFunctionData(setFeeTo));
  const token = await chain.createToken();
  const pair = await chain.pairOf(token);
  await donate(pair, 3n * fullPrice);
  await callPair(pair, "sync");
  await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, bob));
  expect(await chain.balanceOf(pair, alice)).toBe(0n);
  expect(await chain.balanceOf(pair, zeroAddress)).toBe(1_000n);
});

test("BNB forced upon pair, token or launchpad changes nothing", async () => {
  const token = await chain.createToken();
  for (const address of [await chain.pairOf(token), token, chain.launchpad]) {
    await chain.testClient.setBalance({ address, value: 10n ** 24n });
  }
  await expectFairGraduation(chain, token, await chain.buy(token, fullPrice, alice));
});

test("WBNB sent to the launchpad is not taken for the liquidity", async () => {
  const token = await chain.createToken();
  await donate(chain.launchpad, 5n);
  const { logs } = await chain.buy(token, fullPrice, alice);
  const [mint] = parseEventLogs({ abi: dexPairAbi, eventName: "Mint", logs });
  expect([mint?.args.amount0, mint?.args.amount1]).toContain(fullPrice);
  expect(await chain.balanceOf(chain.wbnb, chain.launchpad)).toBe(5n);
});
