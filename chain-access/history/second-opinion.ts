import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Pool } from "../pool/pool.ts";
import type { Log, Range } from "../sources/log.ts";

/** Of the answers, how many are asked of a second endpoint too. */
const usualShare = 0.01;
/** Milliseconds for the second opinion. Without one, the first answer has to do. */
const patienceMs = 10_000;

/** Whose answer it is: an endpoint, or what is asked in the place of one. */
type Witness = Pick<Endpoint, "name" | "lied">;

export type Opinion = { logs: Log[]; endpoint: Witness };

/** Two have different logs, and nobody decides. */
export class Disagreement extends Error {
  override name = "Disagreement";
}

export type Asked = {
  call: Call;
  range: Range;
  /** Which endpoints take such a request. */
  canAsk: (endpoint: Endpoint) => boolean;
  check: (answer: unknown) => void;
};

/**
 * Asks another endpoint for some of what one has answered. Where two differ, a third decides. Where there is none, nothing of
 * that range is believed until they agree.
 *
 * @param share of the answers, from 0 to 1
 */
export function createSecondOpinion(pool: Pool, share = usualShare) {
  const disputed = new Set<Range>();

  const isDisputed = ({ from, to }: Range) =>
    [...disputed].some((range) => range.from <= to && range.to >= from);

  /** Undefined if none of the endpoints answers. */
  async function ask({ call, range, canAsk, check }: Asked, not: Witness[]): Promise<Opinion | undefined> {
    const isAnother = (other: Endpoint) =>
      !not.includes(other) && other.excluded === undefined && canAsk(other);
    if (!pool.endpoints.some(isAnother)) return undefined;
    try {
      const { results, endpoint } = await pool.send([call], {
        priority: range.from,
        block: range.to,
        canAsk: isAnother,
        check: ([answer]) => check(answer),
        mostLies: 1,
        signal: AbortSignal.timeout(patienceMs),
      });
      return { logs: results[0] as Log[], endpoint };
    } catch (error) {
      if (error instanceof EndpointFault || (error as Error).name === "TimeoutError") return undefined;
      throw error;
    }
  }

  /**
   * The logs that two endpoints have.
   *
   * @throws Disagreement that names the endpoints and the range if they differ and there is no third
   */
  return async (asked: Asked, first: Opinion): Promise<Log[]> => {
    const { range } = asked;
    if (Math.random() >= share && !isDisputed(range)) return first.logs;
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
      pool.lied(
        other.endpoint,
        new EndpointFault("wrong", `other logs of ${inWords(range)} than two others`),
      );
      return one.logs;
    }
    disputed.add(range);
    throw new Disagreement(
      `${first.endpoint.name} and ${second.endpoint.name} disagree about the logs of ${inWords(range)}: take out of PONDER_RPC_URL what is wrong, or add a third endpoint`,
    );
  };
}

const inWords = ({ from, to }: Range) => `blocks ${from} to ${to}`;

/** Whether two answers have the same logs, in whatever order. */
const areSame = (some: readonly Log[], others: readonly Log[]): boolean =>
  some.length === others.length && findDifference(some, others) === undefined;

/** A log that only one of two answers has. */
export function findDifference(some: readonly Log[], others: readonly Log[]): Log | undefined {
  const [known, wanted] = [new Set(some.map(keyOf)), new Set(others.map(keyOf))];
  return others.find((log) => !known.has(keyOf(log))) ?? some.find((log) => !wanted.has(keyOf(log)));
}

const keyOf = ({ blockHash, logIndex, transactionHash, address, topics, data }: Log) =>
  `${blockHash} ${Number(logIndex)} ${transactionHash} ${address} ${topics.join()} ${data}`.toLowerCase();
