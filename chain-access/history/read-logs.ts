import { chunk } from "../chunk.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { numberToHex } from "../hex.ts";
import type { Pool } from "../pool/pool.ts";
import { checkLogs, type Log, type LogFilter, type Range, rangeSize } from "../sources/log.ts";
import { createEmptyAnswerCheck } from "./empty-answer-check.ts";
import { createSecondOpinion } from "./second-opinion.ts";

export type LogReader = {
  /** Reads all logs that match a filter in a range. */
  read: (filter: LogFilter, range: Range) => Promise<Log[]>;
  /** Reports a range whose logs turned out to be incomplete: from then on, answers as long as its answers are read again in halves. */
  distrust: (range: Range) => void;
};

/** The most of one request, unless an endpoint's own limit is lower. */
const maxAddresses = 1_000;
const maxBlocks = 1_000_000;
/** No node truncates answers to fewer logs than this. */
const minTruncatedLogs = 100;
const maxRemembered = 1_000;

/**
 * Reads logs through a pool, whatever limits its endpoints have: requests that are too large for all of them are split, and
 * silently truncated answers are detected. A share of the answers is compared with another endpoint's.
 */
export function createLogReader(pool: Pool, secondOpinionShare?: number): LogReader {
  /** The number of logs to which an endpoint was found to truncate its answers. */
  const truncatesAt = new WeakMap<Endpoint, number>();
  /** The number of logs in an endpoint's longest answer that was verified as complete. */
  const longestComplete = new WeakMap<Endpoint, number>();
  const emptyAnswerCheck = createEmptyAnswerCheck(pool);
  const secondOpinion = createSecondOpinion(pool, secondOpinionShare);
  /** Recent answers that are long enough to have been truncated. */
  const longAnswers: { endpoint: Endpoint; range: Range; count: number }[] = [];

  /** The limits of the endpoint that accepts the largest requests. */
  const largestLimits = () =>
    pool.endpoints
      .map(({ limits }) => ({
        blocks: Math.min(maxBlocks, limits.blocks),
        addresses: Math.min(maxAddresses, limits.addresses),
      }))
      .reduce((best, other) =>
        other.blocks * other.addresses > best.blocks * best.addresses ? other : best,
      );

  async function read(filter: LogFilter, range: Range): Promise<Log[]> {
    const { addresses, blocks } = largestLimits();
    if (filter.addresses !== undefined && filter.addresses.length > addresses) {
      const parts = chunk(filter.addresses, addresses);
      return await flatten(parts.map((part) => read({ ...filter, addresses: part }, range)));
    }
    if (rangeSize(range) > blocks)
      return await flatten(split(range, blocks).map((part) => read(filter, part)));
    try {
      return await ask(filter, range);
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      // Another endpoint answers next, or the same one once it has recovered.
      if (error.kind === "wrong" || error.kind === "timeout") return await read(filter, range);
      // The endpoint accepts less than was known: split again by the new limits.
      if (
        error.kind === "unfit" ||
        error.kind === "addresses" ||
        (error.kind === "range" && rangeSize(range) > 1)
      )
        return await read(filter, range);
      if (error.kind === "results" && rangeSize(range) > 1) return await readInHalves(filter, range);
      throw error;
    }
  }

  /** One request to one endpoint. */
  async function ask(filter: LogFilter, range: Range): Promise<Log[]> {
    const { addresses, topics } = filter;
    const size = rangeSize(range);
    const count = addresses?.length ?? 0;
    const params = [
      {
        ...(addresses === undefined ? {} : { address: addresses }),
        topics: [topics],
        fromBlock: numberToHex(range.from),
        toBlock: numberToHex(range.to),
      },
    ];
    const call = { method: "eth_getLogs", params };
    const canAsk = ({ limits }: Endpoint) => limits.blocks >= size && limits.addresses >= count;
    const check = (answer: unknown) => void checkLogs(answer, filter, range);
    let asked: Endpoint | undefined;
    let askedAt = 0;
    try {
      const { results, endpoint } = await pool.send([call], {
        priority: range.from,
        block: range.to,
        canAsk,
        onSend: (endpoint) => {
          asked = endpoint;
          askedAt = performance.now();
        },
        check: ([answer]) => check(answer),
      });
      const first = { logs: results[0] as Log[], endpoint };
      const logs = await secondOpinion({ call, range, canAsk, check }, first);
      remember(endpoint, range, logs.length);
      if (logs.length > 0) emptyAnswerCheck.recordLogs(endpoint, range, askedAt);
      else if (!emptyAnswerCheck.isTrusted(endpoint, range, askedAt)) {
        await emptyAnswerCheck.verify(endpoint, range);
        return await ask(filter, range);
      }
      if (size === 1) return logs;
      if (isSuspicious(logs.length, endpoint)) return await askAgain(filter, range, logs, endpoint);
      return mayBeTruncated(logs.length, endpoint) ? await readTail(filter, range, logs, endpoint) : logs;
    } catch (error) {
      if (error instanceof EndpointFault && asked !== undefined) learnLimit(asked, error, size, count);
      throw error;
    }
  }

  /** Truncated answers mostly end at a round number. */
  const isSuspicious = (count: number, endpoint: Endpoint) =>
    count > 0 && (count % 1_000 === 0 || count >= (truncatesAt.get(endpoint) ?? Number.POSITIVE_INFINITY));

  async function askAgain(filter: LogFilter, range: Range, logs: Log[], endpoint: Endpoint): Promise<Log[]> {
    const again = await readInHalves(filter, range);
    if (again.length > logs.length) noteTruncation(endpoint, logs.length);
    return again;
  }

  /** An endpoint always truncates at the same number, so an answer shorter than a complete one can't be truncated. */
  const mayBeTruncated = (count: number, endpoint: Endpoint) =>
    count >= Math.max(minTruncatedLogs, longestComplete.get(endpoint) ?? 0);

  /** Reads again from the last block that an answer has logs of, and adds what the answer lacked. */
  async function readTail(filter: LogFilter, range: Range, logs: Log[], endpoint: Endpoint): Promise<Log[]> {
    const last = logs.reduce((highest, { blockNumber }) => Math.max(highest, Number(blockNumber)), 0);
    if (last === range.from) return await askAgain(filter, range, logs, endpoint);
    const tail = await read(filter, { from: last, to: range.to });
    const before = logs.filter(({ blockNumber }) => Number(blockNumber) < last);
    if (before.length + tail.length > logs.length) {
      noteTruncation(endpoint, logs.length);
      return [...before, ...tail];
    }
    longestComplete.set(endpoint, Math.max(logs.length, longestComplete.get(endpoint) ?? 0));
    return logs;
  }

  function noteTruncation(endpoint: Endpoint, count: number): void {
    truncatesAt.set(endpoint, Math.min(count, truncatesAt.get(endpoint) ?? Number.POSITIVE_INFINITY));
  }

  function remember(endpoint: Endpoint, range: Range, count: number): void {
    if (count < minTruncatedLogs) return;
    longAnswers.push({ endpoint, range, count });
    if (longAnswers.length > maxRemembered) longAnswers.shift();
  }

  const readInHalves = async (filter: LogFilter, range: Range): Promise<Log[]> =>
    await flatten(split(range, Math.ceil(rangeSize(range) / 2)).map((part) => read(filter, part)));

  return {
    read,
    distrust({ from, to }) {
      for (const { endpoint, range, count } of longAnswers) {
        if (range.from <= to && range.to >= from) noteTruncation(endpoint, count);
      }
    },
  };
}

/** Learns a limit from a fault: the one that the endpoint named, or half of what was asked for. */
function learnLimit(
  { limits }: Endpoint,
  { kind, limit }: EndpointFault,
  blocks: number,
  addresses: number,
): void {
  const lower = (asked: number) =>
    limit !== undefined && limit < asked ? limit : Math.max(1, Math.floor(asked / 2));
  if (kind === "range") limits.blocks = Math.min(limits.blocks, lower(blocks));
  if (kind === "addresses") limits.addresses = Math.min(limits.addresses, lower(addresses));
}

function split({ from, to }: Range, size: number): Range[] {
  const parts: Range[] = [];
  for (let start = from; start <= to; start += size) {
    parts.push({ from: start, to: Math.min(to, start + size - 1) });
  }
  return parts;
}

async function flatten(parts: Promise<Log[]>[]): Promise<Log[]> {
  const found = await Promise.all(parts);
  return found.flat();
}
