import { type Endpoint, endpointsForLogs } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import { headerByNumber, readHeader } from "../live/block.ts";
import { type Anchor, createChainAgreement } from "../pool/anchor.ts";
import type { Pool } from "../pool/pool.ts";
import {
  checkLogs,
  getLogs,
  halvesOf,
  type Log,
  type LogFilter,
  type Range,
  rangeSize,
  splitRange,
} from "../sources/log.ts";
import { createChainProof } from "./chain-proof.ts";
import { checkLast } from "./check-events.ts";
import { createLogAvailability } from "./log-availability.ts";
import { type Asked, createSecondOpinion } from "./second-opinion.ts";

export type LogReader = {
  /** Reads all logs that match a filter in a range. */
  read: (filter: LogFilter, range: Range) => Promise<Log[]>;
  /** Reports a range whose logs turned out to be incomplete: from then on, answers as long as its answers are read again in halves. */
  distrust: (range: Range) => void;
  /** Sets the last block that is read: a final one, whose hash is known. From then on, all answers must be of one chain. */
  setFinal: (block: Anchor) => void;
  /** The blocks of a range that one request may ask for. */
  maxBlocks: () => number;
};

/** The most of one request, unless an endpoint's own limit is lower. */
const maxAddresses = 1_000;
const maxBlocks = 10_000_000;
/** Requests at once for a range that is longer than one may be. */
const partsAtOnce = 32;
/** Longer ranges than this get shorter when an endpoint gives no answer about them in time, twice. */
const unhurriedBlocks = 100_000;
const maxTimeouts = 2;
/**
 * Closer than this to the last final block, an endpoint may lag behind the range, and catch up while it is asked. Each answer is
 * compared there: that includes what was missed while the service was down, and costs little.
 */
const tailBlocks = 1_000;

/**
 * Reads logs through a pool, whatever limits its endpoints have: requests that are too large for all of them are split, and
 * silently truncated answers are detected. Each answer comes with the header of the range's last block, since nodes answer for a
 * range that they only have a part of. A share of the answers is compared with another endpoint's.
 */
export function createLogReader(pool: Pool, secondOpinionShare?: number): LogReader {
  const truncation = createTruncation();
  const availability = createLogAvailability(pool);
  let final: Anchor | undefined;
  const agreement = createChainAgreement(pool);
  const proveChain = createChainProof(pool, agreement);
  const secondOpinion = createSecondOpinion(pool, secondOpinionShare);
  const isInTail = ({ to }: Range) => to > (final?.number ?? 0) - tailBlocks;
  /** The limits of the endpoint that accepts the largest requests, of those that have the block. */
  const largestLimits = (block: number) =>
    endpointsForLogs(pool.endpoints, ({ head = -1 }) => head >= block)
      .map(({ limits }) => ({
        blocks: Math.min(maxBlocks, limits.blocks),
        addresses: Math.min(maxAddresses, limits.addresses),
      }))
      .reduce((best, other) =>
        other.blocks * other.addresses > best.blocks * best.addresses ? other : best,
      );

  async function read(filter: LogFilter, range: Range): Promise<Log[]> {
    const { addresses, blocks } = largestLimits(range.to);
    if (filter.addresses !== undefined && filter.addresses.length > addresses) {
      const parts = chunk(filter.addresses, addresses);
      return await flatten(parts.map((part) => read({ ...filter, addresses: part }, range)));
    }
    if (rangeSize(range) > blocks) return await readInParts(filter, range);
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

  /**
   * Reads a range that is too long for one request from its beginning. How long the later parts are is decided when their turn comes: an
   * endpoint that takes more may be back, and with short parts, all of them would be too many to wait in the queue.
   */
  async function readInParts(filter: LogFilter, range: Range): Promise<Log[]> {
    const logs: Log[][] = [];
    for (let from = range.from; from <= range.to; ) {
      const { blocks } = largestLimits(range.to);
      const parts = splitRange({ from, to: Math.min(range.to, from + partsAtOnce * blocks - 1) }, blocks);
      logs.push(await flatten(parts.map((part) => read(filter, part))));
      from += partsAtOnce * blocks;
    }
    return logs.flat();
  }

  /**
   * One request to one endpoint.
   *
   * @param least the block that the endpoint must have
   */
  async function ask(filter: LogFilter, range: Range, least = range.to): Promise<Log[]> {
    const size = rangeSize(range);
    const count = filter.addresses?.length ?? 0;
    // The header comes first: an endpoint that has it before it looks for the logs has looked in all blocks.
    const calls = [headerByNumber(range.to), getLogs(filter, range)];
    const canAsk = (endpoint: Endpoint) =>
      endpoint.limits.blocks >= size && endpoint.limits.addresses >= count;
    const read = ([last, answer]: readonly unknown[]) => {
      const logs = checkLogs(answer, filter, range);
      checkLast(last, logs, range.to);
      return logs;
    };
    let asked: Endpoint | undefined;
    let askedAt = 0;
    let isAnswered = false;
    try {
      const { results, endpoint } = await pool.send(calls, {
        priority: range.from,
        block: least,
        canAsk,
        isTogether: true,
        maxTimeouts: size > unhurriedBlocks ? maxTimeouts : Number.POSITIVE_INFINITY,
        onSend: (endpoint) => {
          asked = endpoint;
          askedAt = performance.now();
        },
        check: (results) => void read(results),
      });
      isAnswered = true;
      const first = { logs: read(results), endpoint };
      // The last block of the range is only known to be on our chain if it is the final one.
      if (first.logs.length === 0 && final !== undefined && range.to < final.number) {
        const { number } = final;
        const has = ({ head = -1 }: Endpoint) => head >= number;
        if (has(endpoint)) await proveChain(endpoint, final);
        else if (pool.endpoints.some((other) => has(other) && other.excluded === undefined))
          return await ask(filter, range, number);
      }
      if (final !== undefined) await agreement.check(readHeader(results[0]), endpoint);
      availability.record(endpoint, first.logs, askedAt);
      if (!(await hasLogsOf(range, first, askedAt))) return await ask(filter, range, least);
      const hasLogs: Asked["hasLogs"] = (second, askedAt) => hasLogsOf(range, second, askedAt);
      const logs = await secondOpinion(
        { calls, range, canAsk, read, hasLogs, isCompared: final !== undefined && isInTail(range) },
        first,
      );
      truncation.remember(endpoint, range, logs.length);
      if (size === 1) return logs;
      if (truncation.isLikely(endpoint, logs.length)) return await askAgain(filter, range, logs, endpoint);
      return truncation.isPossible(endpoint, logs.length)
        ? await readTail(filter, range, logs, endpoint)
        : logs;
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      const isTooLong = error.kind === "timeout" && !isAnswered && size > unhurriedBlocks;
      const fault = isTooLong ? new EndpointFault("range", error.message, { cause: error }) : error;
      asked?.limits.learn(fault, { blocks: size, addresses: count });
      throw fault;
    }
  }

  /**
   * Whether an endpoint that has answered has the logs of the whole range. If it only shows that now, it may not have had them when
   * it answered: unless that is unlikely, it has to be asked again.
   *
   * @throws EndpointFault if it hasn't
   */
  async function hasLogsOf(
    range: Range,
    { logs, endpoint }: { logs: readonly Log[]; endpoint: Endpoint },
    askedAt: number,
  ): Promise<boolean> {
    const isRisky = logs.length === 0 || isInTail(range);
    // Shown once for the last final block, it is shown for all ranges.
    const to =
      final !== undefined && (endpoint.head ?? 0) >= final.number
        ? Math.max(range.to, final.number)
        : range.to;
    const whole = { from: range.from, to };
    if (availability.hasShown(endpoint, whole, { askedAt, isEarlier: isRisky })) return true;
    await availability.verify(endpoint, whole);
    return !isRisky && availability.hasShown(endpoint, whole, { askedAt, isEarlier: false });
  }

  async function askAgain(filter: LogFilter, range: Range, logs: Log[], endpoint: Endpoint): Promise<Log[]> {
    const again = await readInHalves(filter, range);
    if (again.length > logs.length) truncation.note(endpoint, logs.length);
    return again;
  }

  /** Reads again from the last block that an answer has logs of, and adds what the answer lacked. */
  async function readTail(filter: LogFilter, range: Range, logs: Log[], endpoint: Endpoint): Promise<Log[]> {
    const last = logs.reduce((highest, { blockNumber }) => Math.max(highest, Number(blockNumber)), 0);
    if (last === range.from) return await askAgain(filter, range, logs, endpoint);
    const tail = await read(filter, { from: last, to: range.to });
    const withoutLast = logs.filter(({ blockNumber }) => Number(blockNumber) < last);
    if (withoutLast.length + tail.length > logs.length) {
      truncation.note(endpoint, logs.length);
      return [...withoutLast, ...tail];
    }
    truncation.noteComplete(endpoint, logs.length);
    return logs;
  }

  const readInHalves = async (filter: LogFilter, range: Range): Promise<Log[]> =>
    await flatten(halvesOf(range).map((part) => read(filter, part)));

  return {
    read,
    setFinal(block) {
      final = block;
      agreement.setAnchor(block);
    },
    distrust: truncation.distrust,
    maxBlocks: () => largestLimits(final?.number ?? 0).blocks,
  };
}

async function flatten(parts: Promise<Log[]>[]): Promise<Log[]> {
  const logsOfParts = await Promise.all(parts);
  return logsOfParts.flat();
}

/** No node truncates answers to fewer logs than this. */
const minTruncatedLogs = 100;
const maxRemembered = 1_000;

/** Learns at how many logs endpoints silently truncate their answers. */
function createTruncation() {
  /** The number of logs to which an endpoint was found to truncate its answers. */
  const truncatesAt = new WeakMap<Endpoint, number>();
  /** The number of logs in an endpoint's longest answer that was verified as complete. */
  const longestComplete = new WeakMap<Endpoint, number>();
  /** Recent answers that are long enough to have been truncated. */
  const longAnswers: { endpoint: Endpoint; range: Range; count: number }[] = [];

  const limitOf = (endpoint: Endpoint) => truncatesAt.get(endpoint) ?? Number.POSITIVE_INFINITY;

  const note = (endpoint: Endpoint, count: number) =>
    void truncatesAt.set(endpoint, Math.min(count, limitOf(endpoint)));

  return {
    /** Records that an endpoint truncated an answer to this many logs. */
    note,

    /** Records that an answer was verified as complete. */
    noteComplete(endpoint: Endpoint, count: number): void {
      longestComplete.set(endpoint, Math.max(count, longestComplete.get(endpoint) ?? 0));
    },

    /** Records an answer, in case it turns out to be incomplete. */
    remember(endpoint: Endpoint, range: Range, count: number): void {
      if (count < minTruncatedLogs) return;
      longAnswers.push({ endpoint, range, count });
      if (longAnswers.length > maxRemembered) longAnswers.shift();
    },

    /** Records that the answers about a range were incomplete. */
    distrust({ from, to }: Range): void {
      for (const { endpoint, range, count } of longAnswers) {
        if (range.from <= to && range.to >= from) note(endpoint, count);
      }
    },

    /** Whether an answer was probably truncated: those mostly end at a round number. */
    isLikely: (endpoint: Endpoint, count: number): boolean =>
      count > 0 && (count % 1_000 === 0 || count >= limitOf(endpoint)),

    /** An endpoint always truncates at the same number, so an answer shorter than a complete one can't be truncated. */
    isPossible: (endpoint: Endpoint, count: number): boolean =>
      count >= Math.max(minTruncatedLogs, longestComplete.get(endpoint) ?? 0),
  };
}
