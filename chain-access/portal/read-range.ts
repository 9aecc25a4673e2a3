import { EndpointFault } from "../endpoint/fault.ts";
import type { Log, LogFilter, Range } from "../sources/log.ts";
import type { PortalClient } from "./client.ts";
import type { PortalBlock } from "./read-block.ts";

/** Requests for one range: an answer may end before the range does. */
const mostRequests = 50;
/** So often it is asked again after it said: too many requests. Longer waits, in milliseconds, are not worth it. */
const mostRefusals = 3;
const longestWaitMs = 10_000;

export type FoundLogs = {
  logs: Log[];
  /** The last block of the range. */
  last: Pick<PortalBlock, "number" | "hash">;
};

/**
 * Reads all logs of a range through as many requests as it takes: where an answer ends or is cut off, the next begins.
 *
 * @throws EndpointFault if the portal does not get to the end
 */
export async function readRange(client: PortalClient, filter: LogFilter, range: Range): Promise<FoundLogs> {
  const logs: Log[] = [];
  let last: PortalBlock | undefined;
  let refusals = 0;
  for (let requests = 0; requests < mostRequests; requests++) {
    const next = last === undefined ? range.from : last.number + 1;
    const before = last;
    try {
      for await (const block of client.stream(filter, { from: next, to: range.to })) {
        for (const log of block.logs) logs.push(log);
        last = block;
      }
    } catch (error) {
      if (!(error instanceof EndpointFault)) throw error;
      const waitMs = error.retryAfterMs ?? longestWaitMs;
      const isWaitedFor = error.kind === "rate" && waitMs <= longestWaitMs && refusals++ < mostRefusals;
      const isCutOff = (error.kind === "server" || error.kind === "timeout") && last !== before;
      if (!isWaitedFor && !isCutOff) throw error;
      continue;
    }
    if (last === undefined || last === before) throw new EndpointFault("server", "an answer without blocks");
    if (last.number === range.to) return { logs, last };
  }
  throw new EndpointFault("server", `no end of a range in ${mostRequests} answers`);
}
