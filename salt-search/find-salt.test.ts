import fc from "fast-check";
import { type Address, getContractAddress, type Hex } from "viem";
import { afterAll, expect, test } from "vitest";
import { findSalt } from "./find-salt.ts";
import { PatternError } from "./pattern.ts";
import { createSaltPool } from "./pool.ts";

const pool = createSaltPool({ workers: 1 });
afterAll(() => pool.close());

const deployer: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const initCodeHash: Hex = `0x${"22".repeat(32)}`;
const query = { deployer, initCodeHash, pool };

test("finds the address that viem computes, for any short prefix and suffix", async () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF"), maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(digits, digits, async (prefix, suffix) => {
      fc.pre(prefix !== "" || suffix !== "");
      const { salt, address } = await findSalt({ ...query, prefix, suffix });
      const created = getContractAddress({
        opcode: "CREATE2",
        from: deployer,
        salt,
        bytecodeHash: initCodeHash,
      });
      expect(address).toBe(created.toLowerCase());
      expect(address.startsWith(`0x${prefix.toLowerCase()}`)).toBe(true);
      expect(address.endsWith(suffix.toLowerCase())).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("callers with the same query never get the same salt", async () => {
  const found = await Promise.all(Array.from({ length: 30 }, () => findSalt({ ...query, suffix: "5a" })));
  expect(new Set(found.map(({ salt }) => salt)).size).toBe(30);
  expect(new Set(found.map(({ address }) => address)).size).toBe(30);
});

test("continues until an address is accepted", async () => {
  const offered: Address[] = [];
  const { address } = await findSalt({
    ...query,
    suffix: "5a",
    accept: async (candidate) => offered.push(candidate) === 4,
  });
  expect(new Set(offered).size).toBe(4);
  expect(address).toBe(offered[3]);
});

test("rejects with the signal's reason, even if it is aborted while the address is being looked up", async () => {
  const controller = new AbortController();
  const search = findSalt({
    ...query,
    suffix: "5a",
    signal: controller.signal,
    accept: () => {
      controller.abort(new Error("hung up"));
      return true;
    },
  });
  await expect(search).rejects.toThrow("hung up");
});

test("passes on what accept throws", async () => {
  const accept = () => Promise.reject(new Error("no database"));
  await expect(findSalt({ ...query, suffix: "5a", accept })).rejects.toThrow("no database");
  expect(pool.load()).toEqual({ running: 0, waiting: 0 });
});

test("refuses invalid arguments before anything starts", async () => {
  await expect(findSalt({ ...query, suffix: "safe" })).rejects.toBeInstanceOf(PatternError);
  await expect(findSalt({ ...query })).rejects.toBeInstanceOf(PatternError);
  await expect(findSalt({ ...query, deployer: "0x12", suffix: "5a" })).rejects.toThrow("Not an address");
  await expect(findSalt({ ...query, initCodeHash: "0x12", suffix: "5a" })).rejects.toThrow("Not a hash");
});
