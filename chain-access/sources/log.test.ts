import { numberToHex } from "viem";
import { expect, test } from "vitest";
import { checkLogs, type Log } from "./log.ts";

const log = (blockNumber: number, logIndex: number, transaction: number, transactionIndex: number): Log => ({
  address: "0xaa",
  topics: [],
  data: "0x",
  blockNumber: numberToHex(blockNumber),
  blockHash: numberToHex(blockNumber),
  transactionHash: numberToHex(transaction),
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
