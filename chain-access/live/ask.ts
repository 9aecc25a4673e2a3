import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { isBeyondHead } from "../endpoint/json-rpc.ts";
import type { Pool, Sent } from "../pool/pool.ts";
import type { Heads } from "./heads.ts";

type AskOptions = {
  /** The number of the block that the calls are about, if known. Only endpoints that may have it are asked. */
  number?: number;
  /** Must throw LacksBlock if the endpoint doesn't know the block, and an EndpointFault if its answer is wrong. */
  check: (results: unknown[], endpoint: Endpoint) => void;
  /** Whether an endpoint accepts such a request. */
  canAsk?: (endpoint: Endpoint) => boolean;
  onFault?: (fault: EndpointFault, endpoint: Endpoint) => void;
  /** Whether one endpoint must answer all calls, in their order. */
  isTogether?: boolean;
  signal?: AbortSignal;
};

/** Asks about one block. Returns null if no endpoint has it. */
export type Ask = (calls: readonly Call[], options: AskOptions) => Promise<Sent | null>;

/** An endpoint doesn't know the block yet, or any more. This is not a fault. */
export class LacksBlock extends Error {
  override name = "LacksBlock";
  /** False: the endpoint may also know the block and have found nothing in it. */
  readonly isCertain: boolean;
  endpoint: Endpoint | undefined;

  constructor({ isCertain = true } = {}) {
    super("the endpoint does not know the block");
    this.isCertain = isCertain;
  }
}

/** How geth, erigon, reth, nethermind and besu word it. */
const unknownBlock =
  /(unknown|missing|no such|could not find|cannot find|can't find) (block|header)|(block|header)\b.{0,90}\b(not found|cannot be found|not available|does(n't| not) exist)/i;

/**
 * Asks about blocks that are not final, which an endpoint may not have yet or any more. An endpoint that lacks the block isn't
 * asked for it again, and once all of them lack it, the answer is null.
 */
export function createAsk({ pool, heads }: { pool: Pool; heads: Heads }): Ask {
  return async (calls, { number, check, canAsk = anyone, onFault, isTogether, signal }) => {
    const lacking = new Set<Endpoint>();
    let isRefreshed = false;
    const mayHave = (endpoint: Endpoint) =>
      endpoint.excluded === undefined &&
      !lacking.has(endpoint) &&
      // Once one has said that it lacks the block, those that fail aren't waited for.
      (lacking.size === 0 || endpoint.isHealthy) &&
      (number === undefined || heads.mayHave(endpoint, number));

    for (;;) {
      try {
        return await pool.send(calls, {
          signal,
          isUrgent: true,
          isTogether,
          canAsk: (endpoint) => mayHave(endpoint) && canAsk(endpoint),
          check: (results, endpoint) => {
            try {
              check(results, endpoint);
            } catch (error) {
              if (error instanceof LacksBlock) error.endpoint = endpoint;
              throw error;
            }
          },
          onFault: (fault, endpoint) => {
            if (unknownBlock.test(fault.message) || isBeyondHead(fault.message)) lacking.add(endpoint);
            else onFault?.(fault, endpoint);
          },
        });
      } catch (error) {
        if (error instanceof LacksBlock && error.endpoint !== undefined) {
          const isUncertain = !error.isCertain && number !== undefined;
          if (isUncertain) await heads.poll(error.endpoint);
          if (!isUncertain || !heads.has(error.endpoint, number)) lacking.add(error.endpoint);
          continue;
        }
        const isUnasked = error instanceof EndpointFault && error.kind === "unfit";
        if (!isUnasked || pool.endpoints.some(mayHave)) throw error;
        // Endpoints that lagged may have it by now.
        if (isRefreshed || pool.endpoints.every((endpoint) => lacking.has(endpoint))) return null;
        isRefreshed = true;
        await heads.refresh();
      }
    }
  };
}

const anyone = () => true;
