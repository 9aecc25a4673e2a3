import { type Address, type Hex, parseEventLogs, zeroAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { launchTokenAbi } from "../abis/LaunchToken.ts";
import { alice, bob, forever, type Harness, milliBnb, startHarness } from "./test/harness.ts";
import { expectRevert, gasCost } from "./test/outcomes.ts";
import { signPermit } from "./test/permits.ts";

let chain: Harness;
let token: Address;
let snapshot: Hex;

beforeAll(async () => {
  chain = await startHarness();
  token = await chain.createToken({ name: "A name of more than thirty-one bytes, 🐸" });
  for (const trader of [alice, bob]) await chain.buy(token, 10n * milliBnb, trader);
});

afterAll(() => chain?.stop());

beforeEach(async () => {
  snapshot = await chain.testClient.snapshot();
});

afterEach(() => chain.testClient.revert({ id: snapshot }));

/** A permit for the launchpad to take tokens of alice, signed by her unless somebody else does. */
const sign = (changes: Partial<Parameters<typeof signPermit>[2]> = {}) =>
  signPermit(chain, token, { owner: alice, value: 10n ** 24n, ...changes });

type Signed = Awaited<ReturnType<typeof sign>>;

const permit = (signed: Signed, from = bob) => chain.permit(token, signed, from);

function sellWithPermit(signed: Signed, { from = alice, minBnbOut = 0n, of = token } = {}) {
  return chain.sellWithPermit(of, signed, from, minBnbOut);
}

const allowance = (owner: Address, spender: Address) =>
  chain.publicClient.readContract({
    address: token,
    abi: launchTokenAbi,
    functionName: "allowance",
    args: [owner, spender],
  });
const bnbOf = (address: Address) => chain.publicClient.getBalance({ address });

test("permit gives the allowance that was signed, once, whoever sends it", async () => {
  const signed = await sign({ spender: bob });
  await permit(signed);
  expect(await allowance(alice, bob)).toBe(signed.value);
  await expectRevert(permit(signed), "ERC2612InvalidSigner");
});

test("permit refuses what its owner didn't sign, and an expired signature", async () => {
  await expectRevert(permit(await sign({ signer: bob })), "ERC2612InvalidSigner", [bob, alice]);
  const signed = await sign();
  for (const change of [
    { value: signed.value + 1n },
    { spender: bob },
    { owner: bob },
    { deadline: forever - 1n },
  ]) {
    await expectRevert(permit({ ...signed, ...change }), "ERC2612InvalidSigner");
  }
  await expectRevert(permit(await sign({ nonce: 1n })), "ERC2612InvalidSigner");
  await expectRevert(permit(await sign({ deadline: 1n })), "ERC2612ExpiredSignature", [1n]);
  const { v, ...unsigned } = { ...signed, owner: zeroAddress };
  await expectRevert(permit({ ...unsigned, v: v + 2 }), "ECDSAInvalidSignature");
  expect(await allowance(alice, chain.launchpad)).toBe(0n);
});

test("sellWithPermit sells in one transaction what sell would, and leaves no allowance", async () => {
  const signed = await sign();
  const { virtualBnbReserves, virtualTokenReserves } = await chain.curve(token);
  const bnb = (virtualBnbReserves * signed.value) / (virtualTokenReserves + signed.value);
  await expectRevert(sellWithPermit(signed, { minBnbOut: bnb + 1n }), "InsufficientOutput", [bnb, bnb + 1n]);
  const before = await bnbOf(alice);
  const receipt = await sellWithPermit(signed, { minBnbOut: bnb });
  const [trade] = parseEventLogs({ abi: launchpadAbi, eventName: "Trade", logs: receipt.logs });
  expect(trade?.args).toMatchObject({
    trader: alice,
    isBuy: false,
    bnbAmount: bnb,
    tokenAmount: signed.value,
  });
  expect(await bnbOf(alice)).toBe(before + bnb - gasCost(receipt));
  expect(await allowance(alice, chain.launchpad)).toBe(0n);
});

test("nobody stops a sellWithPermit by using its signature first", async () => {
  const signed = await sign();
  await permit(signed, bob);
  const before = await chain.balanceOf(token, alice);
  await sellWithPermit(signed);
  expect(await chain.balanceOf(token, alice)).toBe(before - signed.value);
});

test("nobody sells another account's tokens with its signature, nor with a wrong one", async () => {
  const signed = await sign();
  await expectRevert(sellWithPermit(signed, { from: bob }), "ERC20InsufficientAllowance");
  await expectRevert(sellWithPermit(await sign({ signer: bob })), "ERC20InsufficientAllowance");
  await expectRevert(sellWithPermit(await sign({ spender: bob })), "ERC20InsufficientAllowance");
  await expectRevert(sellWithPermit({ ...signed, value: signed.value + 1n }), "ERC20InsufficientAllowance");
  expect(await allowance(alice, chain.launchpad)).toBe(0n);
});

test("with an allowance of old, the signature doesn't matter", async () => {
  await chain.approve(token, alice);
  await sellWithPermit(await sign({ nonce: 7n }));
});

test("sellWithPermit reverts like sell, and calls no token but the launchpad's", async () => {
  const emitter = await chain.deploy("test/LogEmitter", []);
  // A call of bob, who has no code, would revert without an error.
  for (const of of [emitter, bob]) {
    await expectRevert(sellWithPermit(await sign(), { of }), "UnknownToken", [of]);
  }
  await expectRevert(sellWithPermit(await sign({ deadline: 1n })), "DeadlineExpired", [1n]);
  await expectRevert(sellWithPermit(await sign({ value: 0n })), "ZeroAmount");
  await chain.buy(token, 10n ** 18n);
  await expectRevert(sellWithPermit(await sign()), "AlreadyGraduated", [token]);
});
