import { unlessAborted } from "../../config/async.ts";
import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault, wrong } from "../endpoint/fault.ts";
import type { Pool } from "../pool/pool.ts";
import { hasTimestamp, type Log, logsWithout, type Range } from "../sources/log.ts";

/** The share of answers that are compared with a second endpoint's. */
const defaultShare = 0.01;
/** Milliseconds that each endpoint has for its opinion. Only if none has one, the first answer is accepted. */
const timeoutMs = 10_000;

/** Where an answer came from: an endpoint, or the portal in place of one. */
type LogSource = Pick<Endpoint, "name" | "reportInvalidAnswer">;

export type Opinion = { logs: Log[]; endpoint: LogSource };

/** Two sources have different logs, and there is no third to decide. */
export class Disagreement extends Error {
  override name = "Disagreement";
}

export type Asked = {
  /** Answered by one endpoint, in this order. */
  calls: readonly Call[];
  range: Range;
  /** Whether an endpoint accepts such a request. */
  canAsk: (endpoint: Endpoint) => boolean;
  /** Returns the logs in an answer. Throws an EndpointFault of kind "wrong" for one that can't be true. */
  read: (results: readonly unknown[]) => Log[];
  /** Whether the endpoint had the logs of the whole range when it was asked. Throws an EndpointFault if it hasn't. */
  hasLogs?: (answer: { logs: Log[]; endpoint: Endpoint }, askedAt: number) => Promise<boolean>;
  /** Whether the answer is compared in any case. */
  isCompared?: boolean;
};

/**
 * Compares a share of the answers, and those with `isCompared`, with another endpoint's. If two differ, a third decides. If there is
 * none, no answer about that range is accepted until they agree.
 *
 * @param share from 0 to 1
 */
export function createSecondOpinion(pool: Pool, share = defaultShare) {
  const disputed = new Set<Range>();

  const isDisputed = ({ from, to }: Range) =>
    [...disputed].some((range) => range.from <= to && range.to >= from);

  /** Asks one endpoint after the other. Returns undefined if none of them has an answer that may be true. */
  async function ask(
    { calls, range, canAsk, read, hasLogs }: Asked,
    not: LogSource[],
  ): Promise<Opinion | undefined> {
    const passedOver = [...not];
    // One that fails at the moment is waited for where all answers are compared: nobody else waits for those.
    const isAnother = (other: Endpoint) =>
      !passedOver.includes(other) &&
      other.excluded === undefined &&
      (share === 1 || other.isHealthy) &&
      canAsk(other);
    /** Those that may not have had the logs when they were asked: they are asked once more. */
    const early = new Set<Endpoint>();
    while (pool.endpoints.some(isAnother)) {
      let asked: Endpoint | undefined;
      let askedAt = 0;
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const { results, endpoint } = await pool.send(calls, {
          priority: range.from,
          block: range.to,
          canAsk: isAnother,
          onSend: (endpoint) => {
            asked = endpoint;
            askedAt = performance.now();
          },
          check: (results) => void read(results),
          maxInvalidAnswers: 1,
          isTogether: true,
          signal,
        });
        const opinion = { logs: read(results), endpoint };
        if (hasLogs === undefined || (await unlessAborted(hasLogs(opinion, askedAt), signal))) return opinion;
        if (!early.has(endpoint)) {
          early.add(endpoint);
          continue;
        }
      } catch (error) {
        if (!(error instanceof EndpointFault) && (error as Error).name !== "TimeoutError") throw error;
      }
      // No endpoint could be asked in time.
      if (asked === undefined) return undefined;
      passedOver.push(asked);
    }
    return undefined;
  }

  /**
   * Returns the first answer's logs, or those that two endpoints agree on if it was compared.
   *
   * @throws Disagreement, naming the endpoints and the range, if two differ and there is no third
   */
  return async (asked: Asked, first: Opinion): Promise<Log[]> => {
    const { range, isCompared = false } = asked;
    if (!isCompared && Math.random() >= share && !isDisputed(range)) return first.logs;
    const second = await ask(asked, [first.endpoint]);
    if (second === undefined) return first.logs;
    if (areSame(first.logs, second.logs)) {
      for (const settled of disputed) {
        if (settled.from >= range.from && settled.to <= range.to) disputed.delete(settled);
      }
      return first.logs;
    }
    const third = await ask(asked, [first.endpoint, second.endpoint]);
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      if (third === undefined || !areSame(one.logs, third.logs)) continue;
      pool.reportInvalidAnswer(other.endpoint, wrong(`other logs of ${inWords(range)} than two others`));
      return one.logs;
    }
    // With two endpoints, nothing would be read until somebody takes one out, neither new history nor what was followed once more. Near
    // the head, where every answer is compared, the one that has all logs of the other is believed: endpoints lose logs, but don't
    // invent them.
    if (third === undefined && isCompared && !isDisputed(range)) {
      if (hasAll(first.logs, second.logs)) return first.logs;
      if (hasAll(second.logs, first.logs)) return second.logs;
    }
    disputed.add(range);
    throw new Disagreement(
      `${first.endpoint.name} and ${second.endpoint.name} disagree about the logs of ${inWords(range)}: take out of PONDER_RPC_URL what is wrong, or add a third endpoint`,
    );
  };
}

const inWords = ({ from, to }: Range) => `blocks ${from} to ${to}`;

/** Whether an answer has all logs of another. */
const hasAll = (logs: readonly Log[], others: readonly Log[]): boolean =>
  logsWithout(others, logs).length === 0;

/** Whether two answers have the same logs, in any order. */
const areSame = (some: readonly Log[], others: readonly Log[]): boolean =>
  some.length === others.length && findDifference(some, others) === undefined && haveSameTimes(some, others);

/** Whether two answers have the same time for each block for which both have one. Not all nodes send them. */
function haveSameTimes(some: readonly Log[], others: readonly Log[]): boolean {
  const times = new Map(some.filter(hasTimestamp).map((log) => [Number(log.blockNumber), timeOf(log)]));
  return others.filter(hasTimestamp).every((log) => {
    const time = times.get(Number(log.blockNumber));
    return time === undefined || time === timeOf(log);
  });
}

const timeOf = ({ blockTimestamp }: Log) => Number(blockTimestamp);

/** Returns a log that only one of two answers has. */
export const findDifference = (some: readonly Log[], others: readonly Log[]): Log | undefined =>
  logsWithout(others, some)[0] ?? logsWithout(some, others)[0];
