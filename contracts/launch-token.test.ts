import { type Address, encodeFunctionData, toFunctionSelector, zeroAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchTokenAbi } from "../abis/LaunchToken.ts";
import { alice, billion, bob, fullPrice, type Harness, startHarness } from "./test/harness.ts";
import { expectRevert } from "./test/outcomes.ts";

let chain: Harness;
let token: Address;
let pair: Address;
let snapshot: `0x${string}`;

beforeAll(async () => {
  chain = await startHarness();
  token = await chain.createToken({ name: "Frog", symbol: "FRG" });
  await chain.buy(token, fullPrice / 2n, alice);
  pair = (await read("lockedPair")) as Address;
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

function read(functionName: "name" | "symbol" | "decimals" | "totalSupply" | "launchpad" | "lockedPair") {
  return chain.publicClient.readContract({ address: token, abi: launchTokenAbi, functionName });
}

function call(
  from: Address,
  functionName: "transferFrom" | "burn" | "burnFrom" | "lockPair" | "unlockPair",
  args: never,
) {
  return chain.send(from, token, encodeFunctionData({ abi: launchTokenAbi, functionName, args }));
}

/** Reads a balance as a contract at `caller` would. */
function balanceOf(account: Address, caller: Address | undefined) {
  const balance = { address: token, abi: launchTokenAbi, functionName: "balanceOf" } as const;
  return chain.publicClient.readContract({ ...balance, args: [account], account: caller });
}

test("is an ERC-20 with 18 decimals that knows its launchpad", async () => {
  expect(await read("name")).toBe("Frog");
  expect(await read("symbol")).toBe("FRG");
  expect(await read("decimals")).toBe(18);
  expect(await read("totalSupply")).toBe(billion / 2n);
  expect(await read("launchpad")).toBe(chain.launchpad);
});

test("transfers and allowances work while the curve is open", async () => {
  await chain.transfer(token, alice, bob, 5n);
  expect(await chain.balanceOf(token, bob)).toBe(5n);

  await chain.approve(token, bob, alice);
  await call(alice, "transferFrom", [bob, alice, 5n] as never);
  expect(await chain.balanceOf(token, bob)).toBe(0n);
});

test("holders burn their tokens, and those of others with an allowance", async () => {
  await call(alice, "burn", [7n] as never);
  await chain.approve(token, alice, bob);
  await call(bob, "burnFrom", [alice, 3n] as never);
  expect(await read("totalSupply")).toBe(billion / 2n - 10n);
});

test("the pair is the DEX's, and refuses tokens with PairLocked until graduation", async () => {
  const [token0, token1] = [token, chain.wbnb].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  expect(await chain.pairOf(token)).toBe(pair);
  expect(await chain.pairTokens(pair)).toEqual([token0, token1]);

  await expectRevert(chain.transfer(token, alice, pair, 1n), "PairLocked");
  await expectRevert(chain.transfer(token, alice, pair, 0n), "PairLocked");
  await chain.approve(token, alice, bob);
  await expectRevert(call(bob, "transferFrom", [alice, pair, 1n] as never), "PairLocked");
});

test("the pair can't read balances until graduation, and everybody else can", async () => {
  for (const account of [pair, alice, zeroAddress]) {
    await expectRevert(balanceOf(account, pair), "PairLocked");
    for (const caller of [undefined, alice, chain.launchpad, zeroAddress]) {
      expect(await balanceOf(account, caller)).toBe(await chain.balanceOf(token, account));
    }
  }
  // What counts is who calls, also where the transaction has no sender.
  const sync = () => chain.publicClient.call({ to: pair, data: toFunctionSelector("sync()") });
  await expectRevert(sync(), "PairLocked");
  expect(await chain.balanceOf(token, pair)).toBe(0n);
  expect(await chain.balanceOf(token, alice)).toBeGreaterThan(0n);

  await chain.buy(token, fullPrice);
  await sync();
  for (const caller of [undefined, pair, zeroAddress]) {
    expect(await balanceOf(pair, caller)).toBe(billion / 5n);
    expect(await balanceOf(zeroAddress, caller)).toBe(0n);
  }
});

test("has no restrictions after graduation", async () => {
  await chain.buy(token, fullPrice);
  expect(await read("lockedPair")).toBe(zeroAddress);
  const before = await chain.balanceOf(token, pair);
  await chain.transfer(token, alice, pair, 1n);
  expect(await chain.balanceOf(token, pair)).toBe(before + 1n);
  await call(alice, "burn", [1n] as never);
});

test("lockPair and unlockPair revert with NotLaunchpad for everybody else", async () => {
  await expectRevert(call(alice, "lockPair", [bob] as never), "NotLaunchpad", [alice]);
  await expectRevert(call(alice, "unlockPair", [] as never), "NotLaunchpad", [alice]);
});
