import { computeBloom } from "../../chain-access/live/bloom.ts";
import type { Hex, Log } from "../../chain-access/sources/log.ts";
import { startHttpServer } from "../../test/doubles/http-server.ts";
import { now } from "../shared/process.ts";
import { digest, type Event } from "./market.ts";

/** A block with events. */
export type Block = { number: number; logs: Log[] };

export const startBlock = 1;
/** The first block's time, in seconds since 1970. */
const startTime = 1_750_000_000;

/** Numbers and times of blocks, which say everything about a block but its events. */
export function createTimeline(secondsPerBlock: number) {
  const timeOf = (number: number) => startTime + Math.floor(number * secondsPerBlock);
  return {
    timeOf,
    /** Makes a block of its transactions' events. */
    block(number: number, transactions: Event[][]): Block {
      let logIndex = 0;
      const logs = transactions.flatMap((events, index) => {
        const transactionHash: Hex = `0x${digest(`${number} ${index}`)}`;
        return events.map((event) => ({
          ...event,
          blockNumber: toHex(number),
          blockHash: hashOf(number),
          blockTimestamp: toHex(timeOf(number)),
          transactionHash,
          transactionIndex: toHex(index),
          logIndex: toHex(logIndex++),
        }));
      });
      return { number, logs };
    },
  };
}

type Timeline = ReturnType<typeof createTimeline>;

const toHex = (value: number): Hex => `0x${value.toString(16)}`;

/** A block's hash has its number at the end. */
const hashOf = (number: number): Hex =>
  `0x${digest(`block ${number}`).slice(0, 56)}${number.toString(16).padStart(8, "0")}`;

const numberIn = (hash: Hex): number => Number.parseInt(hash.slice(-8), 16);

type Request = { id: number; method: string; params: unknown[] };
type LogQuery = {
  blockHash?: Hex;
  fromBlock?: Hex;
  toBlock?: Hex;
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
};

const zeroHash = `0x${"0".repeat(64)}`;
/** What a header has besides what counts. */
const emptyHeader = {
  miner: `0x${"0".repeat(40)}`,
  extraData: "0x",
  nonce: "0x0000000000000000",
  size: "0x1",
  gasUsed: "0x0",
  gasLimit: "0x0",
  difficulty: "0x0",
  totalDifficulty: "0x0",
  mixHash: zeroHash,
  stateRoot: zeroHash,
  receiptsRoot: zeroHash,
  transactionsRoot: zeroHash,
  sha3Uncles: zeroHash,
};

/** Starts a node that has all headers up to its head, and the events of the blocks that it is given from now on. */
export async function startHeaderNode(timeline: Timeline, firstHead: number) {
  let head = firstHead;
  const blocks = new Map<number, Block>();

  function headerOf(number: number) {
    if (number > head || number < startBlock - 1) return null;
    const logs = blocks.get(number)?.logs ?? [];
    return {
      number: toHex(number),
      hash: hashOf(number),
      parentHash: hashOf(number - 1),
      timestamp: toHex(timeline.timeOf(number)),
      logsBloom: `0x${Buffer.from(computeBloom(logs)).toString("hex")}`,
      transactions: [],
      ...emptyHeader,
    };
  }

  function logsFor({ blockHash, fromBlock, toBlock, address, topics = [] }: LogQuery): Log[] {
    const [from, to] = blockHash
      ? [numberIn(blockHash), numberIn(blockHash)]
      : [numberOf(fromBlock), numberOf(toBlock)];
    const addresses = address === undefined ? undefined : new Set([address].flat());
    const isWanted = (log: Log) =>
      (addresses?.has(log.address) ?? true) &&
      topics.every((wanted, index) => wanted === null || [wanted].flat().includes(log.topics[index] as Hex));
    return [...blocks.values()]
      .filter(({ number }) => number >= from && number <= to)
      .flatMap(({ logs }) => logs.filter(isWanted));
  }

  const numberOf = (tag: unknown) =>
    tag === "latest" || tag === undefined ? head : tag === "finalized" ? head - 10 : Number(tag);

  function answer({ method, params: [first] }: Request): object {
    switch (method) {
      case "eth_chainId":
        return { result: "0x38" };
      case "eth_blockNumber":
        return { result: toHex(head) };
      case "eth_getBlockByNumber":
        return { result: headerOf(numberOf(first)) };
      case "eth_getBlockByHash":
        return { result: headerOf(numberIn(first as Hex)) };
      case "eth_getLogs":
        return { result: logsFor(first as LogQuery) };
      default:
        return { error: { code: -32601, message: `${method} is not available` } };
    }
  }

  const server = await startHttpServer(async ({ body }) => {
    const asked = JSON.parse(body.toString()) as Request | Request[];
    const answers = [asked].flat().map((one) => ({ jsonrpc: "2.0", id: one.id, ...answer(one) }));
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(Array.isArray(asked) ? answers : answers[0]),
    };
  });

  return {
    url: server.url,
    /** Adds the next block. Returns when, as a Unix time in milliseconds. */
    push(block: Block): number {
      blocks.set(block.number, block);
      head = block.number;
      return now();
    },
    stop: () => server.close(),
  };
}
