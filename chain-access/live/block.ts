import { wrong } from "../endpoint/fault.ts";
import { isHash, isHex, numberToHex, zeroAddress, zeroHash } from "../hex.ts";
import { type Hex, isTime, type Log } from "../sources/log.ts";

/** A block's header as in JSON-RPC, with all fields that the endpoint sent. */
export type Header = {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  /** Seconds. */
  timestamp: Hex;
  logsBloom: Hex;
  [field: string]: unknown;
};

/** A transaction as Ponder expects it. Handlers only read its hash and its index. */
type LiveTransaction = {
  hash: Hex;
  transactionIndex: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  from: Hex;
  to: null;
};

/** A header as Ponder gets it. */
export type PonderHeader = Pick<Header, "number" | "hash" | "parentHash" | "timestamp" | "logsBloom"> & {
  receiptsRoot: Hex;
};

/** A block that only has the transactions of our logs. Its bloom only shows whether there are any. */
export type LiveBlock = PonderHeader & { transactions: (LiveTransaction & Record<string, unknown>)[] };

/** Everything that Ponder may ask for about a block. */
export type PreparedBlock = {
  header: Header;
  block: LiveBlock;
  logs: readonly Log[];
  /** If tokens and pairs that sleep were left out: see `Candidates`. */
  turn: number | undefined;
  /** Tokens and pairs that slept until this block. */
  woken: readonly Hex[];
};

/** Matches everything, so that Ponder asks for the logs. */
const fullBloom: Hex = `0x${"ff".repeat(256)}`;

/**
 * Checks that an answer is a block, without its transactions.
 *
 * @throws EndpointFault of kind "wrong" if it is not, or is another block than the one asked for
 */
export function readHeader(answer: unknown, wanted: { number?: number; hash?: Hex } = {}): Header {
  if (answer === null && wanted.number !== undefined)
    throw wrong(`no block ${wanted.number}, which its head is not below`);
  const { transactions: _, ...header } = (answer ?? {}) as Header;
  const isComplete =
    isQuantity(header.number) &&
    // A genesis block may have the time 0.
    (isTime(Number(header.timestamp)) || Number(header.timestamp) === 0) &&
    isHash(header.hash) &&
    isHash(header.parentHash) &&
    isHex(header.logsBloom) &&
    header.logsBloom.length === fullBloom.length;
  if (!isComplete) throw wrong("a block that lacks something");
  const isWanted =
    (wanted.number === undefined || Number(header.number) === wanted.number) &&
    (wanted.hash === undefined || header.hash === wanted.hash);
  if (!isWanted) throw wrong("another block than the one asked for");
  return header;
}

const isQuantity = (value: unknown) => isHex(value) && Number.isSafeInteger(Number(value));

/**
 * Picks what Ponder gets of a header. It fills in the other columns, of which handlers read none: an endpoint may have sent anything
 * in these, such as what Postgres can't store.
 */
export const forPonder = ({ number, hash, parentHash, timestamp, logsBloom }: Header): PonderHeader => ({
  number,
  hash,
  parentHash,
  timestamp,
  logsBloom,
  receiptsRoot: zeroHash,
});

/**
 * Builds the block that Ponder sees.
 *
 * @param quietBloom a bloom that matches none of our events
 */
export function toLiveBlock(header: Header, logs: readonly Log[], quietBloom: Hex): LiveBlock {
  const first = new Map(logs.map((log) => [log.transactionHash, log]));
  const transactions = [...first.values()]
    .toSorted((a, b) => Number(a.transactionIndex) - Number(b.transactionIndex))
    .map(({ transactionHash, transactionIndex }) => ({
      ...emptyTransaction,
      hash: transactionHash,
      transactionIndex,
      blockHash: header.hash,
      blockNumber: header.number,
    }));
  return { ...forPonder(header), logsBloom: logs.length === 0 ? quietBloom : fullBloom, transactions };
}

/**
 * Builds a block of which only the header is known. Its bloom is full and its transactions are missing, so that Ponder fails if
 * it tries to index it.
 */
export const toBareBlock = (header: Header): LiveBlock => ({
  ...forPonder(header),
  logsBloom: fullBloom,
  transactions: [],
});

/** Has a gas price, because Ponder fails to decode a legacy transaction without one. */
const emptyTransaction = {
  from: zeroAddress,
  to: null,
  input: "0x",
  value: "0x0",
  nonce: "0x0",
  gas: "0x0",
  gasPrice: "0x0",
  type: "0x0",
  r: "0x0",
  s: "0x0",
  v: "0x0",
};

/** Whether a block is older than its parent, which no block is. Chains with several blocks a second have equal times. */
export const isBeforeParent = (header: Header, parent: Header): boolean =>
  Number(header.timestamp) < Number(parent.timestamp);

export const numberOf = ({ number }: Pick<Header, "number">): number => Number(number);

export const headerByNumber = (number: number) => ({
  method: "eth_getBlockByNumber",
  params: [numberToHex(number), false],
});

export const headerByHash = (hash: Hex) => ({ method: "eth_getBlockByHash", params: [hash, false] });
