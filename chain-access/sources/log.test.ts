import { numberToHex } from "viem";
import { expect, test } from "vitest";
import { checkLogs, type Hex, hasTimestamp, type Log } from "./log.ts";

const hash = (value: number) => numberToHex(value, { size: 32 });

const log = (blockNumber: number, logIndex: number, transaction: number, transactionIndex: number): Log => ({
  address: numberToHex(0xaa, { size: 20 }),
  topics: [],
  data: "0x",
  blockNumber: numberToHex(blockNumber),
  blockHash: hash(blockNumber),
  transactionHash: hash(transaction),
  transactionIndex: numberToHex(transactionIndex),
  logIndex: numberToHex(logIndex),
});
const check = (logs: Log[]) => checkLogs(logs, {}, { from: 1, to: 9 });

test("logs may come in any order, with gaps", () => {
  const logs = [log(2, 7, 3, 4), log(1, 2, 1, 0), log(1, 0, 1, 0), log(1, 9, 2, 5), log(2, 0, 4, 0)];
  expect(check(logs)).toBe(logs);
});

test.each<[string, Log[]]>([
  ["the same log twice", [log(1, 0, 1, 0), log(1, 0, 1, 0)]],
  ["two logs with one index", [log(1, 0, 1, 0), log(2, 0, 2, 0), log(1, 0, 3, 1)]],
  ["two transactions with one index", [log(1, 0, 1, 0), log(1, 1, 2, 0)]],
  ["a transaction with two indices", [log(1, 0, 1, 0), log(1, 1, 1, 1)]],
  ["logs in another order than their transactions", [log(1, 1, 1, 0), log(1, 0, 2, 1)]],
])("an answer can't have %s", (_, logs) => {
  expect(() => check(logs)).toThrow(/of block 1 (with the same index|in another order than)/);
});

const { blockHash, address } = log(1, 0, 1, 0);

test.each<[string, object]>([
  ["a zero byte in its data", { data: "0x\0" }],
  ["half a byte", { data: "0x123" }],
  ["a zero byte in a topic", { topics: [`0x\0${"0".repeat(63)}`] }],
  ["a short topic", { topics: ["0xaa"] }],
  ["five topics", { topics: Array.from({ length: 5 }, () => blockHash) }],
  ["a long address", { address: `${address}00` }],
  ["a hash that is none", { blockHash: `${blockHash.slice(0, -1)}g` }],
  ["a transaction without a hash", { transactionHash: null }],
  ["an index that no column holds", { logIndex: numberToHex(2 ** 31) }],
  ["a transaction's index that no column holds", { transactionIndex: "0x100000000" }],
  ["an index that is a number", { logIndex: 1 }],
  ["no block", { blockNumber: "0x" }],
])("a log with %s can't be stored, and is not believed", (_, wrong) => {
  expect(() => check([{ ...log(1, 0, 1, 0), ...wrong }])).toThrow("a malformed log");
});

test.each<[unknown, boolean]>([
  ["0x6553f100", true],
  [1_700_000_000, true],
  ["0x0", false],
  [1_700_000_000_000, false],
  [1.5, false],
  ["1.5", false],
  [[1_700_000_000], false],
  [undefined, false],
])("whether a log has its block's time: %j, %s", (blockTimestamp, expected) => {
  expect(hasTimestamp({ ...log(1, 0, 1, 0), blockTimestamp: blockTimestamp as Hex })).toBe(expected);
});
