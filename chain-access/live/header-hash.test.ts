import { expect, test } from "vitest";
import type { Header } from "./block.ts";
import { createHeaderCheck, hashHeader } from "./header-hash.ts";

const zeros = (bytes: number): `0x${string}` => `0x${"00".repeat(bytes)}`;
const emptyRoot = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** Ethereum's first block. */
const genesis: Header = {
  hash: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  parentHash: zeros(32),
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: zeros(20),
  stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
  transactionsRoot: emptyRoot,
  receiptsRoot: emptyRoot,
  logsBloom: zeros(256),
  difficulty: "0x400000000",
  number: "0x0",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  timestamp: "0x0",
  extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
  mixHash: zeros(32),
  nonce: "0x0000000000000042",
};
const changed = { ...genesis, timestamp: "0x5" } as const;

test("a header's hash is made of its fields; without one of them, nothing is known", () => {
  expect(hashHeader(genesis)).toBe(genesis.hash);
  expect(hashHeader(changed)).not.toBe(genesis.hash);
  expect(hashHeader({ ...genesis, nonce: undefined })).toBeUndefined();
  expect(createHeaderCheck().isFalse({ ...changed, nonce: undefined })).toBe(false);
});

test("what every endpoint repeats is believed, until a header has its hash again", () => {
  const check = createHeaderCheck();
  const [one, other] = [{}, {}];
  const isDoubted = check.createDoubt();
  expect(isDoubted(genesis, one)).toBe(false);
  const doubts = Array.from({ length: 4 }, () => isDoubted(changed, one));
  expect(doubts).toEqual([true, true, false, false]);
  expect(isDoubted(changed, other)).toBe(true);

  check.accept(changed);
  expect(check.isFalse(changed)).toBe(false);
  expect(check.isFalse(genesis)).toBe(false);
  expect(check.isFalse(changed)).toBe(true);
});
