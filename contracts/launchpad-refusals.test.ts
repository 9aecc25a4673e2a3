import { type Address, zeroAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  alice,
  bob,
  deployer,
  fullPrice,
  type Harness,
  halfBurned,
  milliBnb,
  startHarness,
} from "./test/harness.ts";
import { expectRevert, gasCost } from "./test/outcomes.ts";

const { startTokens, totalToSell, startBnb } = halfBurned;

let chain: Harness;
let token: Address;
let snapshot: `0x${string}`;

beforeAll(async () => {
  chain = await startHarness();
  token = await chain.createToken();
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

const bnbOf = (address: Address) => chain.publicClient.getBalance({ address });
test("buy and sell revert with InsufficientOutput", async () => {
  const tokensOut = (startTokens * milliBnb) / (startBnb + milliBnb);
  const tooMany = [tokensOut, tokensOut + 1n];
  await expectRevert(chain.buy(token, milliBnb, alice, tokensOut + 1n), "InsufficientOutput", tooMany);

  await chain.buy(token, milliBnb);
  await chain.approve(token);
  const tooMuch = [milliBnb - 1n, milliBnb];
  await expectRevert(chain.sell(token, tokensOut, alice, milliBnb), "InsufficientOutput", tooMuch);
});

test("if the curve ends within a buy, its limit applies to the price of each token", async () => {
  // All that is left costs half of what is paid, so twice as many tokens would be due for the full amount.
  const paid = 2n * fullPrice;
  const tooMany = [totalToSell, totalToSell + 1n];
  await expectRevert(chain.buy(token, paid, alice, 2n * totalToSell + 1n), "InsufficientOutput", tooMany);
  await expectRevert(chain.buy(token, paid, alice, 2n ** 256n - 1n), "InsufficientOutput");
  await chain.buy(token, paid, alice, 2n * totalToSell);
  expect(await chain.balanceOf(token, alice)).toBe(totalToSell);
});

test("a limit is rounded up if the curve ends within the buy", async () => {
  await chain.buy(token, 30n * milliBnb + 1n, bob);
  const { realTokenReserves: left } = await chain.curve(token);
  const cost = 20n * milliBnb - 1n;
  const paid = 3n * cost + 1n;
  const most = (left * paid) / cost;
  // One more requires a fraction of a base unit more than is left.
  expect((left * paid) % cost).toBeGreaterThan(0n);
  await expectRevert(chain.buy(token, paid, alice, most + 1n), "InsufficientOutput", [left, left + 1n]);
  await chain.buy(token, paid, alice, most);
});

test("a buy of all that is left goes through when somebody buys 2 % of it first, at the price it allows", async () => {
  await chain.buy(token, 30n * milliBnb, bob);
  const { realTokenReserves } = await chain.curve(token);
  const cost = 20n * milliBnb;
  await chain.buy(token, cost / 50n, bob);
  // What is left now costs more on average: by less than 1 %, and by more than 0.1 %.
  await expectRevert(
    chain.buy(token, cost, alice, (realTokenReserves * 999n) / 1_000n),
    "InsufficientOutput",
  );
  const before = await bnbOf(alice);
  const receipt = await chain.buy(token, cost, alice, (realTokenReserves * 99n) / 100n);
  expect(await chain.balanceOf(token, alice)).toBeLessThan((realTokenReserves * 99n) / 100n);
  expect(await bnbOf(alice)).toBe(before - (cost - cost / 50n) - gasCost(receipt));
  expect((await chain.curve(token)).graduated).toBe(true);
});

test("buy and sell revert with DeadlineExpired, and the deadline's own second still counts", async () => {
  const { timestamp } = await chain.publicClient.getBlock();
  await expectRevert(chain.buy(token, milliBnb, alice, 0n, timestamp - 1n), "DeadlineExpired", [
    timestamp - 1n,
  ]);
  await expectRevert(chain.sell(token, 1n, alice, 0n, 0n), "DeadlineExpired", [0n]);

  const next = timestamp + 100n;
  await chain.testClient.setNextBlockTimestamp({ timestamp: next });
  await chain.buy(token, milliBnb, alice, 0n, next);
});

test("buy and sell revert with ZeroAmount, and a sell of less than a wei's worth with ZeroOutput", async () => {
  await expectRevert(chain.buy(token, 0n), "ZeroAmount");
  await expectRevert(chain.sell(token, 0n), "ZeroAmount");
  await chain.buy(token, milliBnb);
  await chain.approve(token);
  await expectRevert(chain.sell(token, 10n ** 9n), "ZeroOutput");
});

test("buy and sell revert with UnknownToken", async () => {
  await expectRevert(chain.buy(zeroAddress, milliBnb), "UnknownToken", [zeroAddress]);
  await expectRevert(chain.sell(chain.wbnb, 1n), "UnknownToken", [chain.wbnb]);
});

test("buy and sell revert with AlreadyGraduated", async () => {
  await chain.buy(token, fullPrice);
  await expectRevert(chain.buy(token, 1n), "AlreadyGraduated", [token]);
  await expectRevert(chain.sell(token, 1n), "AlreadyGraduated", [token]);
});

test("sell passes on what the token says about a missing allowance or balance", async () => {
  await chain.buy(token, milliBnb);
  const balance = await chain.balanceOf(token, alice);
  await expectRevert(chain.sell(token, 5n), "ERC20InsufficientAllowance", [chain.launchpad, 0n, 5n]);
  await chain.approve(token);
  await expectRevert(chain.sell(token, balance + 1n), "ERC20InsufficientBalance", [
    alice,
    balance,
    balance + 1n,
  ]);
  await expectRevert(chain.sell(token, 2n ** 256n - 1n), "ERC20InsufficientBalance");
});

test("refuses stray BNB, and BNB or tokens forced into it change nothing", async () => {
  await expect(chain.send(deployer, chain.launchpad, "0x", 1n)).rejects.toThrow("reverted");

  await chain.buy(token, milliBnb);
  await chain.approve(token);
  const before = await chain.curve(token);
  await chain.testClient.setBalance({ address: chain.launchpad, value: 10n ** 20n });
  await chain.transfer(token, alice, chain.launchpad, 10n ** 18n);
  expect(await chain.curve(token)).toEqual(before);

  await chain.sell(token, await chain.balanceOf(token, alice));
  await chain.buy(token, fullPrice, bob);
  expect(await chain.curve(token)).toMatchObject({ virtualBnbReserves: 150n * milliBnb, graduated: true });
  expect(await bnbOf(chain.launchpad)).toBe(10n ** 20n - milliBnb);
});
