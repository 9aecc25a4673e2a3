import { numberToHex, zeroAddress, zeroHash } from "viem";
import { computeBloom } from "../../chain-access/live/bloom.ts";
import type { Hex, Log } from "../../chain-access/sources/log.ts";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { startHttpServer } from "../../test/doubles/http-server.ts";
import { contracts, createMarket, digest, type Event } from "./market.ts";
import { now } from "./process.ts";

export type Block = { number: number; logs: Log[] };

/** A block, and the Unix time in milliseconds at which the node had it. */
type PublishedBlock = { block: number; at: number };

export const startBlock = 1;
/** The first block's time, in seconds since 1970. */
const startTime = 1_750_000_000;

export const deployment: LaunchpadDeployment = {
  ...contracts,
  startBlock,
  wbnb: zeroAddress,
  dexFactory: zeroAddress,
  router: zeroAddress,
};

type Request = { id: number; method: string; params?: unknown[] };
type LogQuery = {
  blockHash?: Hex;
  fromBlock?: Hex;
  toBlock?: Hex;
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
};

/** What a header has besides what counts. */
const emptyHeader = {
  miner: zeroAddress,
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
  uncles: [],
};

/** Likewise a transaction, about as long as a real one. */
const emptyTransaction = {
  from: zeroAddress,
  to: contracts.launchpad,
  input: `0x${"0".repeat(200)}`,
  value: "0x0",
  nonce: "0x0",
  type: "0x0",
  gas: "0xf4240",
  gasPrice: "0x3b9aca00",
  r: zeroHash,
  s: zeroHash,
  v: "0x93",
};

/** A block's hash has its number at the end. */
const hashOf = (number: number): Hex =>
  `0x${digest(`block ${number}`).slice(0, 56)}${number.toString(16).padStart(8, "0")}`;
const numberIn = (hash: Hex): number => Number.parseInt(hash.slice(-8), 16);

/** Starts a node with a chain of blocks whose numbers say everything but their events. */
export async function startChain(secondsPerBlock: number) {
  let made = startBlock;
  let head = startBlock;
  const logsOf = new Map<number, Log[]>();
  const timeOf = (number: number) => startTime + Math.floor(number * secondsPerBlock);

  function nextBlock(transactions: Event[][]): Block {
    const number = ++made;
    const events = transactions.flatMap((some, index) => some.map((event) => ({ event, index })));
    const place = {
      blockNumber: numberToHex(number),
      blockHash: hashOf(number),
      blockTimestamp: numberToHex(timeOf(number)),
    };
    const hashes = transactions.map((_, index): Hex => `0x${digest(`${number} ${index}`)}`);
    const logs = events.map(({ event, index }, logIndex) => ({
      ...event,
      ...place,
      transactionHash: hashes[index] ?? "0x",
      transactionIndex: numberToHex(index),
      logIndex: numberToHex(logIndex),
    }));
    return { number, logs };
  }

  function publish({ number, logs }: Block): PublishedBlock {
    logsOf.set(number, logs);
    head = number;
    return { block: number, at: now() };
  }

  function transactionsOf(logs: Log[], isFull: unknown): unknown[] {
    const first = logs.filter(({ transactionHash }, at) => transactionHash !== logs[at - 1]?.transactionHash);
    return first.map(({ transactionHash, blockHash, blockNumber, transactionIndex }) => {
      if (isFull !== true) return transactionHash;
      return { hash: transactionHash, blockHash, blockNumber, transactionIndex, ...emptyTransaction };
    });
  }

  function blockAt(number: number, isFull: unknown) {
    if (number > head || number < startBlock - 1) return null;
    const logs = logsOf.get(number) ?? [];
    return {
      number: numberToHex(number),
      hash: hashOf(number),
      parentHash: number === 0 ? zeroHash : hashOf(number - 1),
      timestamp: numberToHex(timeOf(number)),
      logsBloom: `0x${Buffer.from(computeBloom(logs)).toString("hex")}`,
      transactions: transactionsOf(logs, isFull),
      ...emptyHeader,
    };
  }

  function findLogs({ blockHash, fromBlock, toBlock, address, topics = [] }: LogQuery): Log[] {
    const [from, to] = blockHash
      ? [numberIn(blockHash), numberIn(blockHash)]
      : [numberOf(fromBlock), Math.min(head, numberOf(toBlock))];
    const addresses = address === undefined ? undefined : new Set([address].flat());
    // While it searches, it gives nobody a new block.
    const wantedTopics = topics.map((wanted) => (wanted === null ? undefined : new Set([wanted].flat())));
    const isWanted = (log: Log) =>
      (addresses?.has(log.address) ?? true) &&
      wantedTopics.every((wanted, index) => wanted?.has(log.topics[index] as Hex) ?? true);
    const found: Log[] = [];
    for (let number = from; number <= to; number++) {
      for (const log of logsOf.get(number) ?? []) if (isWanted(log)) found.push(log);
    }
    return found;
  }

  const numberOf = (tag: unknown) =>
    tag === "latest" || tag === undefined ? head : tag === "finalized" ? head - 10 : Number(tag);

  function answer({ method, params: [first, second] = [] }: Request): object {
    switch (method) {
      case "eth_chainId":
        return { result: "0x38" };
      case "eth_blockNumber":
        return { result: numberToHex(head) };
      case "eth_getBlockByNumber":
        return { result: blockAt(numberOf(first), second) };
      case "eth_getBlockByHash":
        return { result: blockAt(numberIn(first as Hex), second) };
      case "eth_getLogs":
        return { result: findLogs(first as LogQuery) };
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
    rpcUrl: server.url,
    head: () => head,
    /** Makes the next block, which the node doesn't have yet. */
    nextBlock,
    /** Gives the node a block. */
    publish,
    mine: (transactions: Event[][]): PublishedBlock => publish(nextBlock(transactions)),
    /** Adds blocks without events. */
    mineEmptyBlocks(count: number): void {
      made += count;
      head = made;
    },
    stop: () => server.close(),
  };
}

export type MarketChainSize = { tokens: number; trades: number; transactionsPerBlock?: number };

/** Empty blocks at the end, so that everything before them is final. */
const emptyBlocks = 40;
/** So few that the chain is younger than a day: tokens without an event in the last day are followed in another way. */
const secondsPerBlock = 120;
/** The share of transactions that are not transfers. */
const tradeShare = 0.95;

/** Starts a node with the chain of a whole market, which is always the same for the same size, and can go on. */
export async function startMarketChain({ tokens, trades, transactionsPerBlock = 250 }: MarketChainSize) {
  const transactions = Math.ceil(tokens + trades / tradeShare);
  const accounts = Math.max(100, Math.ceil(trades / 20));
  const market = createMarket({ tokens, transactions, accounts });
  const chain = await startChain(secondsPerBlock);
  const mine = () => chain.mine(Array.from({ length: transactionsPerBlock }, () => market.next()));
  for (let left = transactions; left > 0; left -= transactionsPerBlock) mine();
  chain.mineEmptyBlocks(emptyBlocks);
  return { ...chain, mine, transactions, createdTokens: market.tokens.length };
}
