import { EndpointFault } from "../endpoint/fault.ts";
import type { Log, LogFilter, Range } from "../sources/log.ts";
import type { PortalClient } from "./client.ts";
import type { PortalBlock } from "./read-block.ts";

/** Requests per range: an answer may end before the range does. */
const maxRequests = 50;
/** How often to retry after "too many requests", and the longest wait in milliseconds that is worth it. */
const maxRefusals = 3;
const maxWaitMs = 10_000;

export type FoundLogs = {
  logs: Log[];
  /** The last block of the range. */
  last: Pick<PortalBlock, "number" | "hash">;
};

/**
 * Reads all logs of a range in as many requests as it takes: where one answer ends or is cut off, the next request starts.
 *
 * @throws EndpointFault if the end of the range is not reached
 */
export async function readRange(client: PortalClient, filter: LogFilter, range: Range): Promise<FoundLogs> {
  const logs: Log[] = [];
  let last: PortalBlock | undefined;
  let refusals = 0;
  for (let requests = 0; requests < maxRequests; requests++) {
    const next = last === undefined ? range.from : last.number + 1;
    const before = last;
    try {
      for await (const block of client.stream(filter, { from: next, to: range.to })) {
        for (const log of block.logs) logs.push(log);
        last = block;
      }
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      const waitMs = error.retryAfterMs ?? maxWaitMs;
      const isWaitedFor = error.kind === "rate" && waitMs <= maxWaitMs && refusals++ < maxRefusals;
      const isCutOff = (error.kind === "server" || error.kind === "timeout") && last !== before;
      if (!isWaitedFor && !isCutOff) throw error;
      continue;
    }
    if (last === undefined || last === before) throw new EndpointFault("server", "an answer without blocks");
    if (last.number === range.to) return { logs, last };
  }
  throw new EndpointFault("server", `no end of a range in ${maxRequests} answers`);
}
