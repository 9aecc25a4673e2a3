import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  pad,
  parseEventLogs,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { launchTokenAbi } from "../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import { deployLaunchpad } from "./deploy.ts";
import { alice, billion, creator, deployer, type Harness, startHarness } from "./test/harness.ts";
import { boundSalt, createdToken, expectRevert } from "./test/outcomes.ts";

let chain: Harness;

beforeAll(async () => {
  chain = await startHarness();
});

afterAll(() => chain?.stop());

/** A salt that anybody can use. */
const salt = (text: string) => pad(stringToHex(text), { size: 32 });

function create(name: string, symbol: string, burnPercent: number, from = creator) {
  const args = [name, symbol, burnPercent] as const;
  const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createToken", args });
  return chain.send(from, chain.tokenFactory, data);
}

function createWithSalt(name: string, symbol: string, burnPercent: number, salt_: Hex, from = creator) {
  const args = [name, symbol, burnPercent, salt_] as const;
  const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createTokenWithSalt", args });
  return chain.send(from, chain.tokenFactory, data);
}

function read(functionName: "tokens" | "predictTokenAddress" | "tokenCreationCode", args: never) {
  return chain.publicClient.readContract({
    address: chain.tokenFactory,
    abi: tokenFactoryAbi,
    functionName,
    args,
  });
}

test("createToken mints to the launchpad, burns the share and opens the curve, in this order", async () => {
  const receipt = await create("Frog", "FRG", 40);
  const token = createdToken(receipt);
  const events = parseEventLogs({
    abi: [...tokenFactoryAbi, ...launchpadAbi, ...launchTokenAbi],
    logs: receipt.logs,
  });

  expect(events.map(({ eventName, args }) => ({ eventName, ...args }))).toEqual([
    { eventName: "Transfer", from: zeroAddress, to: chain.launchpad, value: billion },
    {
      eventName: "TokenCreated",
      token,
      creator,
      name: "Frog",
      symbol: "FRG",
      burnPercent: 40,
      totalSupply: billion,
      salt: zeroHash,
    },
    { eventName: "Transfer", from: chain.launchpad, to: zeroAddress, value: (billion * 40n) / 100n },
    {
      eventName: "CurveOpened",
      token,
      creator,
      burnPercent: 40,
      virtualBnbReserves: 10n ** 17n,
      virtualTokenReserves: (billion * 60n * 9n) / 500n,
      totalToSell: (billion * 60n * 3n) / 500n,
    },
  ]);
  expect(await read("tokens", [token] as never)).toEqual([creator, 40]);
  expect(await chain.balanceOf(token, chain.launchpad)).toBe((billion * 60n) / 100n);
  const supply = { address: token, abi: launchTokenAbi, functionName: "totalSupply" } as const;
  expect(await chain.publicClient.readContract(supply)).toBe((billion * 60n) / 100n);
});

test("createTokenWithSalt deploys to the predicted address, which viem derives from tokenCreationCode alike", async () => {
  const predicted = await read("predictTokenAddress", ["Frog", "FRG", salt("a")] as never);
  const receipt = await createWithSalt("Frog", "FRG", 55, salt("a"));
  const token = createdToken(receipt);

  const encoded = encodeAbiParameters([{ type: "string" }, { type: "string" }], ["Frog", "FRG"]);
  const bytecode = concatHex([(await read("tokenCreationCode", [] as never)) as Hex, encoded]);
  expect(token).toBe(predicted);
  expect(token).toBe(
    getContractAddress({ opcode: "CREATE2", from: chain.tokenFactory, salt: salt("a"), bytecode }),
  );
  const [event] = parseEventLogs({ abi: tokenFactoryAbi, eventName: "TokenCreated", logs: receipt.logs });
  expect(event?.args).toMatchObject({ salt: salt("a"), burnPercent: 55, creator });
});

test("a salted address depends on name, symbol and salt, but not on creator or burn", async () => {
  const snapshot = await chain.testClient.snapshot();
  const first = createdToken(await createWithSalt("Frog", "FRG", 30, salt("b"), creator));
  await chain.testClient.revert({ id: snapshot });

  expect(createdToken(await createWithSalt("Frog", "FRG", 70, salt("b"), alice))).toBe(first);
  expect(createdToken(await createWithSalt("Frogs", "FRG", 70, salt("b")))).not.toBe(first);
  expect(createdToken(await createWithSalt("Frog", "FRGS", 70, salt("b")))).not.toBe(first);
  expect(createdToken(await createWithSalt("Frog", "FRG", 70, salt("c")))).not.toBe(first);
});

test("createTokenWithSalt reverts with SaltAlreadyUsed", async () => {
  const token = createdToken(await createWithSalt("Twice", "TWO", 50, salt("t")));
  await expectRevert(createWithSalt("Twice", "TWO", 60, salt("t"), alice), "SaltAlreadyUsed", [
    salt("t"),
    token,
  ]);
});

test("createTokenWithSalt reverts with ZeroSalt", async () => {
  await expectRevert(createWithSalt("Zero", "ZERO", 50, zeroHash), "ZeroSalt");
});

test("a salt that begins with an address works for that account alone, at the predicted address", async () => {
  const bound = boundSalt(creator, 7);
  const predicted = await read("predictTokenAddress", ["Bound", "BND", bound] as never);
  await expectRevert(createWithSalt("Bound", "BND", 50, bound, alice), "SaltOfAnotherAccount", [
    creator,
    alice,
  ]);
  // One bit of the address is enough.
  const almost = boundSalt(`0x${(BigInt(creator) ^ 1n).toString(16).padStart(40, "0")}`, 7);
  await expectRevert(createWithSalt("Bound", "BND", 50, almost), "SaltOfAnotherAccount");
  expect(createdToken(await createWithSalt("Bound", "BND", 50, bound))).toBe(predicted);
});

test("nobody can steal a vanity creation that waits to be mined, with or without a first buy", async () => {
  const bound = boundSalt(creator, 8);
  const named = { salt: bound, name: "Wanted", symbol: "WANT" };
  const predicted = await chain.predictTokenAddress(bound, named);
  await expectRevert(createWithSalt("Wanted", "WANT", 70, bound, alice), "SaltOfAnotherAccount");
  const agent = await chain.deploy("test/Agent", []);
  for (const thief of [alice, agent]) {
    await chain.testClient.impersonateAccount({ address: thief });
    await chain.testClient.setBalance({ address: thief, value: 10n ** 18n });
    const theft = chain.createTokenAndBuy(1n, { ...named, burnPercent: 70, from: thief });
    await expectRevert(theft, "SaltOfAnotherAccount", [creator, thief]);
  }
  const receipt = await chain.createTokenAndBuy(1n, { ...named, from: creator });
  expect(createdToken(receipt)).toBe(predicted);
  expect(await read("tokens", [predicted] as never)).toEqual([creator, 50]);
});

test("the address of createToken depends on its creator, whatever others create before it", async () => {
  const predicted = await chain.predictNextTokenAddress(creator);
  const snapshot = await chain.testClient.snapshot();
  expect(await chain.createToken()).toBe(predicted);
  const second = await chain.createToken();
  expect(second).not.toBe(predicted);

  // A reorg that puts others first.
  await chain.testClient.revert({ id: snapshot });
  const others = await chain.predictNextTokenAddress(alice);
  expect(await chain.createToken({ from: alice })).toBe(others);
  expect(await chain.createToken({ burnPercent: 70 })).toBe(predicted);
  expect(await chain.createToken()).toBe(second);
});

test("a plain creation and a bound salt don't get in each other's way", async () => {
  const next = await chain.predictNextTokenAddress(creator);
  for (const number of [1, 2, 3]) await chain.createTokenWithSalt(boundSalt(creator, number));
  expect(await chain.predictNextTokenAddress(creator)).toBe(next);
  expect(await chain.createToken()).toBe(next);
});

test.each([0, 29, 71, 255])("reverts with BurnPercentOutOfRange at %i", async (burnPercent) => {
  await expectRevert(create("Frog", "FRG", burnPercent), "BurnPercentOutOfRange", [burnPercent]);
  await expectRevert(createWithSalt("Frog", "FRG", burnPercent, salt("d")), "BurnPercentOutOfRange", [
    burnPercent,
  ]);
});

test("reverts with NameLengthOutOfRange and SymbolLengthOutOfRange, counting bytes", async () => {
  await expectRevert(create("", "FRG", 50), "NameLengthOutOfRange", [0n]);
  await expectRevert(create(`${"é".repeat(32)}N`, "FRG", 50), "NameLengthOutOfRange", [65n]);
  await expectRevert(create("Frog", "", 50), "SymbolLengthOutOfRange", [0n]);
  await expectRevert(create("Frog", "S".repeat(17), 50), "SymbolLengthOutOfRange", [17n]);
  await expectRevert(createWithSalt("", "FRG", 50, salt("d")), "NameLengthOutOfRange", [0n]);

  await create("N", "S", 50);
  await create("🐸".repeat(16), "🐸".repeat(4), 50);
});

test("accepts names and symbols that are not UTF-8, and repeats them byte by byte", async () => {
  const name: Hex = "0x00ff80fe22273c3e";
  const symbol: Hex = "0xc328";
  const data = concatHex([
    toFunctionSelector("createToken(string,string,uint8)"),
    encodeAbiParameters([{ type: "bytes" }, { type: "bytes" }, { type: "uint8" }], [name, symbol, 50]),
  ]);
  const receipt = await chain.send(creator, chain.tokenFactory, data);
  const log = receipt.logs.find(({ address }) => address.toLowerCase() === chain.tokenFactory.toLowerCase());
  expect(log?.data).toContain(name.slice(2).padEnd(64, "0"));
  expect(log?.data).toContain(symbol.slice(2).padEnd(64, "0"));
});

test("tokens is empty for an address that the factory didn't create", async () => {
  expect(await read("tokens", [alice] as never)).toEqual([zeroAddress, 0]);
});

test("the constructor reverts if factory, router and WBNB don't belong to the same DEX", async () => {
  const { dexFactory, router, wbnb } = chain;
  const other = await deployLaunchpad({ rpcUrl: chain.rpcUrl, account: chain.accounts[9] as never });

  await expectRevert(
    chain.deploy("TokenFactory", [dexFactory, other.router, wbnb]),
    "RouterFactoryMismatch",
    [dexFactory, other.dexFactory],
  );
  await expectRevert(chain.deploy("TokenFactory", [dexFactory, router, other.wbnb]), "RouterWbnbMismatch", [
    other.wbnb,
    wbnb,
  ]);
});

test("openCurve reverts with NotFactory for everybody else", async () => {
  const args = [alice, alice, 50] as const;
  const data = encodeFunctionData({ abi: launchpadAbi, functionName: "openCurve", args });
  await expectRevert(chain.send(deployer, chain.launchpad, data), "NotFactory", [deployer]);
});
