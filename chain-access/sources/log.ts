import { wrong } from "../endpoint/fault.ts";
import { isAddress, isHash, isHex, numberToHex } from "../hex.ts";

export type Hex = `0x${string}`;

/** A log as eth_getLogs returns it. */
export type Log = {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  /** Seconds. Not all nodes send it (execution-apis#639); geth 1.16.0 sends a number. */
  blockTimestamp?: Hex | number;
  transactionHash: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
  removed?: boolean;
};

/** Selects logs. Addresses and topics are in lower case. */
export type LogFilter = {
  /** Undefined: any contract. */
  addresses?: readonly Hex[];
  /** The first topic must be one of these. */
  topics: readonly Hex[];
  /** The second topic must be one of these. Undefined: any. */
  about?: readonly Hex[];
};

/** The call for the logs that match a filter, in a range or in one block. */
export function getLogs(
  { addresses, topics, about }: Partial<LogFilter>,
  where: Range | { blockHash: Hex },
): { method: string; params: readonly unknown[] } {
  const place =
    "from" in where ? { fromBlock: numberToHex(where.from), toBlock: numberToHex(where.to) } : where;
  const byTopic = about === undefined ? [topics] : [topics, about];
  return {
    method: "eth_getLogs",
    params: [{ address: addresses, topics: topics && byTopic, ...place }],
  };
}

/** Identifies a log by everything that a chain says about it. */
const keyOf = (log: Log) => {
  const { blockHash, logIndex, transactionIndex, transactionHash, address, topics, data } = log;
  const place = `${Number(logIndex)} ${Number(transactionIndex)}`;
  return `${blockHash} ${place} ${transactionHash} ${address} ${topics.join()} ${data}`.toLowerCase();
};

/** Returns those logs that are not among others. */
export function logsWithout(logs: readonly Log[], others: readonly Log[]): Log[] {
  const keys = new Set(others.map(keyOf));
  return logs.filter((log) => !keys.has(keyOf(log)));
}

/** The latest time that is plausible, in seconds since 1970. Milliseconds are above it. */
const maxTime = 100_000_000_000;

/** Whether a number can be a block's time in seconds since 1970. */
export const isTime = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds > 0 && seconds < maxTime;

/** Whether a log has its block's time. geth 1.16.0 sends it as a number; some nodes send 0, or milliseconds. */
export const hasTimestamp = ({ blockTimestamp }: Log): boolean =>
  (typeof blockTimestamp === "string" || typeof blockTimestamp === "number") &&
  isTime(Number(blockTimestamp));

/** A range of blocks, both ends included. */
export type Range = { from: number; to: number };

export const rangeSize = ({ from, to }: Range): number => to - from + 1;

/** Splits a range into parts of at most `size` blocks. */
export function splitRange({ from, to }: Range, size: number): Range[] {
  const parts: Range[] = [];
  for (let start = from; start <= to; start += size) {
    parts.push({ from: start, to: Math.min(to, start + size - 1) });
  }
  return parts;
}

/** The halves of a range of at least two blocks. */
export const halvesOf = (range: Range): Range[] => splitRange(range, Math.ceil(rangeSize(range) / 2));

/**
 * Checks that an answer's logs match a filter and a range. Without addresses or topics, any are accepted.
 *
 * @throws EndpointFault of kind "wrong"
 */
export function checkLogs(
  answer: unknown,
  { addresses, topics, about }: Partial<LogFilter>,
  { from, to }: Range,
): Log[] {
  if (!Array.isArray(answer)) throw wrong("logs that are no list");
  const wanted = addresses === undefined ? undefined : new Set<string>(addresses);
  const wantedTopics = topics === undefined ? undefined : new Set<string>(topics);
  for (const log of answer as Log[]) {
    if (!isLog(log)) throw wrong("a malformed log");
    const number = Number(log.blockNumber);
    if (number < from || number > to) throw wrong(`a log of block ${number}, asked for ${from} to ${to}`);
    if (log.removed === true) throw wrong(`a removed log in block ${number}`);
    if (wanted?.has(log.address.toLowerCase()) === false)
      throw wrong("a log of a contract that was not asked for");
    if (about?.includes(log.topics[1] ?? "0x") === false) throw wrong("a log that was not asked for");
    if (wantedTopics?.has(log.topics[0] ?? "") === false)
      throw wrong("a log of an event that was not asked for");
  }
  checkOrder(answer as Log[]);
  return answer as Log[];
}

/**
 * Checks that each block has its logs once, in the order of its transactions, and that these have one index and one hash each.
 *
 * @throws EndpointFault of kind "wrong"
 */
export function checkOrder(logs: readonly Log[]): void {
  const inOrder = logs.toSorted(
    (a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex),
  );
  for (const [index, log] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (before === undefined || Number(before.blockNumber) !== Number(log.blockNumber)) continue;
    const number = Number(log.blockNumber);
    if (Number(before.logIndex) === Number(log.logIndex))
      throw wrong(`two logs of block ${number} with the same index`);
    const step = Number(log.transactionIndex) - Number(before.transactionIndex);
    const isSame = log.transactionHash === before.transactionHash;
    if (isSame ? step !== 0 : step <= 0)
      throw wrong(`logs of block ${number} in another order than its transactions`);
  }
}

/** The highest index that Ponder's tables can have. */
export const maxIndex = 2 ** 31 - 1;

const isQuantity = (value: unknown, most: number): boolean => isHex(value) && Number(value) <= most;

/** Whether a value is a log that can be stored. */
function isLog(log: Log): boolean {
  return (
    typeof log === "object" &&
    log !== null &&
    Array.isArray(log.topics) &&
    log.topics.length <= 4 &&
    log.topics.every(isHash) &&
    isAddress(log.address) &&
    isHex(log.data) &&
    log.data.length % 2 === 0 &&
    isHash(log.blockHash) &&
    isHash(log.transactionHash) &&
    isQuantity(log.blockNumber, Number.MAX_SAFE_INTEGER) &&
    isQuantity(log.transactionIndex, maxIndex) &&
    isQuantity(log.logIndex, maxIndex)
  );
}
