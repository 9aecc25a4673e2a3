import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  parseAbi,
  parseEventLogs,
  toEventSelector,
} from "viem";

/** The events of the launchpad's contracts, a Uniswap V2 pair and a Chainlink feed, independently of the product's ABIs. */
const abi = parseAbi([
  "event TokenCreated(address indexed token, address indexed creator, string name, string symbol, uint8 burnPercent, uint256 totalSupply, bytes32 salt)",
  "event CurveOpened(address indexed token, address indexed creator, uint8 burnPercent, uint256 virtualBnbReserves, uint256 virtualTokenReserves, uint256 totalToSell)",
  "event Trade(address indexed token, address indexed trader, bool isBuy, uint256 bnbAmount, uint256 tokenAmount, uint256 virtualBnbReserves, uint256 virtualTokenReserves)",
  "event Graduated(address indexed token, address indexed pair, uint256 bnbLiquidity, uint256 tokenLiquidity)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Mint(address indexed sender, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)",
  "event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)",
]);
const token0Abi = parseAbi(["function token0() view returns (address)"]);

const eventsByTopic = new Map(abi.map((event) => [toEventSelector(event), event]));

type EventName = (typeof abi)[number]["name"];
type Client = ReturnType<typeof createBatchingClient>;
type RawEvent<Name extends EventName> = Extract<
  Awaited<ReturnType<typeof logsOf>>[number],
  { eventName: Name }
>;

/** An event and its position in the chain. Addresses are lower-case, times in seconds. */
export type ChainEvent<Name extends EventName = EventName> = {
  [Each in Name]: {
    name: Each;
    args: RawEvent<Each>["args"];
    emitter: Address;
    block: bigint;
    timestamp: bigint;
    logIndex: number;
    tx: Hex;
    txIndex: number;
  };
}[Name];

type ChainBlock = { number: bigint; timestamp: bigint; parentHash: Hex; events: ChainEvent[] };

/** Blocks by hash. A hash determines its block and all blocks before it, so none is read twice. */
const blocksByHash = new Map<Hex, ChainBlock>();

/** Reads all events from the first block to the last one, of whatever contract, and the last block. */
export async function readChain(rpcUrl: string): Promise<{ head: ChainBlock; events: ChainEvent[] }> {
  const client = createBatchingClient(rpcUrl);
  const last = await client.getBlock();
  const blocks: ChainBlock[] = [];
  let at: Hex = last.hash;
  // Usually only the last blocks are new.
  let atATime = 4;
  for (let { number } = last; number >= 0n; number--) {
    if (!blocksByHash.has(at)) {
      await readBlocks(client, number, atATime);
      atATime = Math.min(4 * atATime, 200);
    }
    const block = blocksByHash.get(at);
    // A reorg replaced it while it was being read.
    if (block === undefined) return await readChain(rpcUrl);
    blocks.push(block);
    at = block.parentHash;
  }
  const [head] = blocks;
  if (head === undefined) throw new Error("a chain without blocks");
  return { head, events: blocks.reverse().flatMap(({ events }) => events) };
}

/** Asks a pair whether this token is its token0. */
export async function isToken0(rpcUrl: string, pair: Address, token: Address): Promise<boolean> {
  const first = await createBatchingClient(rpcUrl).readContract({
    address: pair,
    abi: token0Abi,
    functionName: "token0",
  });
  return first.toLowerCase() === token;
}

function createBatchingClient(rpcUrl: string) {
  // The answers to larger batches would exceed viem's limit.
  return createPublicClient({ transport: http(rpcUrl, { batch: { batchSize: 20 } }), cacheTime: 0 });
}

type Logs = ReturnType<typeof parseEventLogs<typeof abi, true>>;

/** Does the same as viem's `getLogs`, which hashes the signatures of all these events twice per block. */
async function logsOf(client: Client, blockHash: Hex): Promise<Logs> {
  const topics = [[...eventsByTopic.keys()]];
  const logs = await client.request({ method: "eth_getLogs", params: [{ blockHash, topics }] });
  const byTopic = Map.groupBy(logs, ({ topics: [topic] }) => topic);
  const parsed = [...byTopic].flatMap(([topic, some]) =>
    parseEventLogs({
      abi: [eventsByTopic.get(topic as Hex)] as unknown as typeof abi,
      logs: some,
      strict: true,
    }),
  );
  return parsed.sort((left, right) => left.logIndex - right.logIndex);
}

/** Reads `count` blocks up to and including `last`. */
async function readBlocks(client: Client, last: bigint, count: number): Promise<void> {
  const size = Math.min(count, Number(last) + 1);
  await Promise.all(Array.from({ length: size }, (_, index) => readBlock(client, last - BigInt(index))));
}

async function readBlock(client: Client, blockNumber: bigint): Promise<void> {
  const block = await client.getBlock({ blockNumber });
  const { hash, number, timestamp, parentHash, transactions } = block;
  if (blocksByHash.has(hash)) return;
  const logs = transactions.length === 0 ? [] : await logsOf(client, hash);
  const events = logs.map(({ eventName, args, address, logIndex, transactionHash, transactionIndex }) => {
    return {
      name: eventName,
      args: withLowerCase(args),
      emitter: address.toLowerCase() as Address,
      block: number,
      timestamp,
      logIndex,
      tx: transactionHash,
      txIndex: transactionIndex,
    } as ChainEvent;
  });
  blocksByHash.set(hash, { number, timestamp, parentHash, events });
}

function withLowerCase<Args extends object>(args: Args): Args {
  const isText = new Set(["name", "symbol"]);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === "string" && !isText.has(name) ? value.toLowerCase() : value,
    ]),
  ) as Args;
}
