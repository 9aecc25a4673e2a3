import { concat, numberToHex } from "viem";
import { expect, test } from "vitest";
import { addressOf, sources } from "../live/fixtures/simulated-chain.ts";
import { createChildren } from "./children.ts";
import { eventTopics, swapsWithoutTransfer } from "./events.ts";
import type { Hex, Log } from "./log.ts";

const [token, pair, stranger] = [addressOf(100), addressOf(101), addressOf(102)];
const children = createChildren(sources);
children.add({ type: "pair", address: pair, block: 1, token });

const logOf = (address: Hex, topic: Hex, transaction: number, amounts: bigint[] = []): Log => ({
  address,
  topics: [topic],
  blockNumber: "0x5",
  blockHash: "0x0b",
  transactionIndex: "0x0",
  logIndex: "0x0",
  transactionHash: numberToHex(transaction),
  data: concat(amounts.map((amount) => numberToHex(amount, { size: 32 }))),
});
const swapOf = (...amounts: bigint[]) => logOf(pair, eventTopics.swap, 1, amounts);
const transferOf = (address: Hex, transaction: number) => logOf(address, eventTopics.transfer, transaction);

test.each<[string, Log[], number]>([
  ["a sale without a transfer", [swapOf(5n, 0n, 0n, 7n)], 1],
  ["a purchase without a transfer", [swapOf(0n, 7n, 5n, 0n)], 1],
  ["a swap with the transfer of another transaction", [transferOf(token, 2), swapOf(5n, 0n, 0n, 7n)], 1],
  ["a swap with the transfer of another token", [transferOf(stranger, 1), swapOf(5n, 0n, 0n, 7n)], 1],
  ["a swap with its transfer", [transferOf(token, 1), swapOf(5n, 0n, 0n, 7n)], 0],
  ["a flash swap with its transfers", [transferOf(token, 1), swapOf(5n, 3n, 4n, 3n)], 0],
  ["a flash loan of the other side alone", [swapOf(0n, 8n, 0n, 7n)], 0],
  ["a swap of nothing", [swapOf(0n, 0n, 0n, 0n)], 0],
  ["a swap on a pair that isn't ours", [logOf(stranger, eventTopics.swap, 1, [5n, 0n, 0n, 7n])], 0],
  ["a swap without data", [swapOf()], 0],
])("%s", (_, logs, count) => {
  expect(swapsWithoutTransfer(logs, children)).toHaveLength(count);
});
