import fc from "fast-check";
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  type Hex,
  zeroHash,
} from "viem";
import { expect, test } from "vitest";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { gasLimits } from "../../../src/api/quotes/transaction.ts";
import { createdToken, createGas, encodeCreate } from "./encode-create.ts";

const names = fc.record({
  name: fc.string({ unit: "grapheme", maxLength: 40 }),
  symbol: fc.string({ unit: "grapheme", maxLength: 16 }),
  burnPercent: fc.integer({ min: 30, max: 70 }),
});

test("calls are encoded as viem encodes them", () => {
  fc.assert(
    fc.property(
      names,
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      ({ name, symbol, burnPercent }, number) => {
        const salt: Hex = `0x${number.toString(16).padStart(64, "0")}`;
        const plain = [name, symbol, burnPercent] as const;
        expect(encodeCreate({ name, symbol, burnPercent })).toBe(
          encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createToken", args: plain }),
        );
        expect(encodeCreate({ name, symbol, burnPercent, salt })).toBe(
          encodeFunctionData({
            abi: tokenFactoryAbi,
            functionName: "createTokenWithSalt",
            args: [...plain, salt],
          }),
        );
        const bought = { abi: tokenFactoryAbi, functionName: "createTokenAndBuy" } as const;
        expect(encodeCreate({ name, symbol, burnPercent, salt, minTokensOut: number })).toBe(
          encodeFunctionData({ ...bought, args: [...plain, salt, number] }),
        );
        expect(encodeCreate({ name, symbol, burnPercent, minTokensOut: number })).toBe(
          encodeFunctionData({ ...bought, args: [...plain, zeroHash, number] }),
        );
      },
    ),
  );
});

test("the created token is found among a transaction's logs", () => {
  const token: Hex = getAddress("0xab2ca06ac46dc88b75e254d4eea0505e3e1614fc");
  const args = { token, creator: token };
  const topics = encodeEventTopics({ abi: tokenFactoryAbi, eventName: "TokenCreated", args }) as string[];
  const other = { topics: [encodeAbiParameters([{ type: "uint256" }], [1n])] };
  expect(createdToken([other, { topics }])).toBe(token.toLowerCase());
  expect(createdToken([other])).toBeUndefined();
});

test("the gas limit of a creation is that of the service", () => {
  expect(Number(createGas)).toBe(gasLimits.creation);
});
