import { type Hex, keccak256, numberToHex, pad } from "viem";
import { computeBloom } from "../../../chain-access/live/bloom.ts";
import { eventTopics } from "../../../chain-access/sources/events.ts";
import type { Log } from "../../../chain-access/sources/log.ts";
import { createRandom } from "../../../local/market/random.ts";
import type { LogFilter } from "./json-rpc.ts";
import type { AskOne } from "./lag.ts";

/** Of a block as JSON-RPC returns it. */
type Block = {
  number: Hex;
  hash: Hex;
  timestamp: Hex;
  logsBloom: Hex;
  transactions: (Hex | { hash: Hex })[];
};

type ForeignBlock = { transactions: Record<string, unknown>[]; logs: Log[]; bloom: Uint8Array };

/** The contract that BNB Smart Chain calls at the end of each block, and the event that it emits there. */
const validatorSet: Hex = "0x0000000000000000000000000000000000001000";
const validatorDeposit: Hex = "0x93a090ecc682c002995fad3c85b30c5651d7fd29b0be5da9d784a3302aedc055";

const { transfer, sync, swap } = eventTopics;
/** So many different contracts and wallets take part that 400 logs a block set 65 % of its bloom filter's bits. */
const [tokens, pairs, routers, others, wallets] = [2_000, 1_000, 20, 500, 20_000];
/** Of 100 logs. The rest are of other events. */
const shares = { transfer: 55, sync: 17, swap: 15 };
/** Transfers that a router sends or receives. */
const routerShare = 0.55;
const logsPerTransaction = 4;
const maxBlocks = 300;

const addressOf = (kind: string, index: number): Hex =>
  `0x${keccak256(new TextEncoder().encode(`${kind} ${index}`)).slice(-40)}`;
const wordOf = (address: Hex) => pad(address, { size: 32 });
const pool = (kind: string, size: number) =>
  Array.from({ length: size }, (_, index) => addressOf(kind, index));

/** The addresses are made once, when a test or benchmark first needs them. */
let addresses: Record<"tokens" | "pairs" | "routers" | "others" | "wallets", Hex[]> | undefined;
let contracts: ReadonlySet<string> | undefined;

function pools() {
  addresses ??= {
    tokens: pool("token", tokens),
    pairs: pool("pair", pairs),
    routers: pool("router", routers),
    others: pool("other", others),
    wallets: pool("wallet", wallets),
  };
  return addresses;
}

/** Whether a contract is one of those that emit foreign logs. */
function isForeign(address: string): boolean {
  const { tokens, pairs, others } = pools();
  contracts ??= new Set([validatorSet, ...tokens, ...pairs, ...others]);
  return contracts.has(address.toLowerCase());
}

/**
 * Adds transactions and logs of contracts that aren't ours to each block, from its hash, so that the chain is as dense as BNB Smart
 * Chain. Those of the node come first. The last log is that of a contract which the chain itself calls in each block.
 *
 * @param countLogs returns the number of logs per block
 */
export function createForeignLogs(countLogs: () => number) {
  const blocks = new Map<Hex, Promise<ForeignBlock>>();

  async function make(block: Block, ask: AskOne): Promise<ForeignBlock> {
    const count = countLogs();
    const own = (await ask("eth_getLogs", [{ blockHash: block.hash }])) as Log[];
    const { tokens, pairs, routers, others, wallets } = pools();
    const random = createRandom(Number(block.hash.slice(0, 10)));
    const draw = (from: Hex[]) => random.pick(from);
    const drawHolder = () => draw(random.chance(routerShare) ? routers : wallets);
    const amount = () => numberToHex(random.integer(1, 2 ** 32 - 1) * 2 ** 20, { size: 32 }).slice(2);

    function event(): Pick<Log, "address" | "topics" | "data"> {
      const kind = 100 * random.fraction();
      const [from, to] = [wordOf(drawHolder()), wordOf(drawHolder())];
      if (kind < shares.transfer)
        return { address: draw(tokens), topics: [transfer, from, to], data: `0x${amount()}` };
      if (kind < shares.transfer + shares.sync)
        return { address: draw(pairs), topics: [sync], data: `0x${amount()}${amount()}` };
      if (kind < shares.transfer + shares.sync + shares.swap) {
        const topics = [swap, wordOf(draw(routers)), to];
        return { address: draw(pairs), topics, data: `0x${amount()}${amount()}${amount()}${amount()}` };
      }
      const other = draw(others);
      return { address: other, topics: [keccak256(other), from], data: `0x${amount()}` };
    }

    const ownTransactions = block.transactions.length;
    const place = { blockNumber: block.number, blockHash: block.hash };
    const transactions = Array.from({ length: Math.ceil(count / logsPerTransaction) }, (_, index) => ({
      ...place,
      hash: keccak256(`${block.hash}${numberToHex(index, { size: 4 }).slice(2)}`),
      transactionIndex: numberToHex(ownTransactions + index),
      from: draw(wallets),
      to: draw(routers),
      input: `0x38ed1739${amount()}${amount()}${amount()}${amount()}`,
      ...plainTransaction,
    }));
    const logs = Array.from({ length: count }, (_, index): Log => {
      const { hash, transactionIndex } = transactions[Math.floor(index / logsPerTransaction)] ?? {};
      const isLast = index === count - 1;
      const deposit = { address: validatorSet, topics: [validatorDeposit, wordOf(draw(wallets))] };
      return {
        ...(isLast ? { ...deposit, data: `0x${amount()}` } : event()),
        ...place,
        blockTimestamp: block.timestamp,
        transactionHash: hash as Hex,
        transactionIndex: transactionIndex as Hex,
        logIndex: numberToHex(own.length + index),
        removed: false,
      };
    });
    return { transactions, logs, bloom: computeBloom(logs) };
  }

  function of(block: Block, ask: AskOne): Promise<ForeignBlock> {
    const known = blocks.get(block.hash);
    if (known !== undefined) return known;
    const made = make(block, ask);
    blocks.set(block.hash, made);
    for (const oldest of blocks.keys()) {
      if (blocks.size <= maxBlocks) break;
      blocks.delete(oldest);
    }
    return made;
  }

  async function blocksOf({ blockHash, fromBlock, toBlock }: LogFilter, ask: AskOne): Promise<Block[]> {
    if (blockHash !== undefined) {
      const block = (await ask("eth_getBlockByHash", [blockHash, false])) as Block | null;
      return block === null ? [] : [block];
    }
    const head = Number(await ask("eth_blockNumber", []));
    const bound = (value = "latest") => (value === "latest" ? head : Math.min(head, Number(value)));
    const [from, to] = [bound(fromBlock), bound(toBlock)];
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const read = (number: number) => ask("eth_getBlockByNumber", [numberToHex(number), false]);
    return (await Promise.all(numbers.map(read))) as Block[];
  }

  return {
    /** Adds them to a block: to its bloom filter, and to its transactions. */
    async addToBlock(result: unknown, isFull: boolean, ask: AskOne): Promise<unknown> {
      if (result === null) return result;
      const block = result as Block;
      const { transactions, bloom } = await of(block, ask);
      const bits = Buffer.from(block.logsBloom.slice(2), "hex").map(
        (byte, index) => byte | (bloom[index] ?? 0),
      );
      return {
        ...block,
        logsBloom: `0x${Buffer.from(bits).toString("hex")}`,
        transactions: [
          ...block.transactions,
          ...(isFull ? transactions : transactions.map(({ hash }) => hash)),
        ],
      };
    },

    /** Whether a filter selects any of them. */
    isSelected({ address }: LogFilter): boolean {
      return address === undefined || [address].flat().some(isForeign);
    },

    /** Adds those that a filter selects to the node's own. */
    async addToLogs(result: unknown, filter: LogFilter, ask: AskOne): Promise<unknown> {
      const wanted = filter.address === undefined ? undefined : new Set([filter.address].flat().map(lower));
      const topics = filter.topics?.map((topic) =>
        topic === null ? undefined : new Set([topic].flat().map(lower)),
      );
      const found = await Promise.all((await blocksOf(filter, ask)).map((block) => of(block, ask)));
      const logs = found
        .flatMap(({ logs }) => logs)
        .filter(({ address }) => wanted?.has(address) ?? true)
        .filter((log) => topics?.every((some, index) => some?.has(log.topics[index] ?? "") ?? true) ?? true);
      const own = result as Log[];
      return logs.length === 0 ? own : [...own, ...logs].toSorted(inOrder);
    },
  };
}

export type ForeignLogs = ReturnType<typeof createForeignLogs>;

const lower = (text: string) => text.toLowerCase();

const inOrder = (a: Log, b: Log) =>
  Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex);

const plainTransaction = {
  value: "0x0",
  nonce: "0x1",
  gas: "0x30d40",
  gasPrice: "0x5f5e100",
  chainId: "0x38",
  type: "0x0",
  v: "0x94",
  r: `0x${"5a".repeat(32)}`,
  s: `0x${"3c".repeat(32)}`,
};
