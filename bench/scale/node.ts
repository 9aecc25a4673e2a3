import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { computeBloom } from "../../chain-access/live/bloom.ts";
import type { Hex, Log } from "../../chain-access/sources/log.ts";
import { type Block, hashOf, numberIn, startBlock, type Timeline, toHex } from "./chain.ts";

type Request = { id: number; method: string; params: unknown[] };
type LogQuery = {
  blockHash?: Hex;
  fromBlock?: Hex;
  toBlock?: Hex;
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
};

const zeroHash = `0x${"0".repeat(64)}`;

/** Starts a node that has all headers up to its head, and the events of the blocks that it is given from now on. */
export async function startNode(timeline: Timeline, firstHead: number) {
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
      ...{ miner: `0x${"0".repeat(40)}`, extraData: "0x", nonce: "0x0000000000000000", size: "0x1" },
      ...{ gasUsed: "0x0", gasLimit: "0x0", difficulty: "0x0", totalDifficulty: "0x0", mixHash: zeroHash },
      ...{ stateRoot: zeroHash, receiptsRoot: zeroHash, transactionsRoot: zeroHash, sha3Uncles: zeroHash },
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

  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request)) as Request | Request[];
    const answers = [asked].flat().map((one) => ({ jsonrpc: "2.0", id: one.id, ...answer(one) }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Adds the next block. Returns when, as a Unix time in milliseconds. */
    push(block: Block): number {
      blocks.set(block.number, block);
      head = block.number;
      return performance.timeOrigin + performance.now();
    },
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
