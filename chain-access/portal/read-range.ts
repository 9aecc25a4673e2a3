import { setTimeout as delay } from "node:timers/promises";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Log, LogFilter, Range } from "../sources/log.ts";
import type { PortalClient } from "./client.ts";
import type { PortalBlock } from "./read-block.ts";

/** Requests for one range: an answer may end before the range does. */
const mostRequests = 50;
/** So often, and for so many milliseconds, the portal is waited for that says: too many requests. */
const mostRefusals = 3;
const longestPauseMs = 10_000;

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
      const pauseMs = error.retryAfterMs ?? longestPauseMs;
      const isWaitedFor = error.kind === "rate" && pauseMs <= longestPauseMs && refusals++ < mostRefusals;
      const isCutOff = (error.kind === "server" || error.kind === "timeout") && last !== before;
      if (!isWaitedFor && !isCutOff) throw error;
      if (isWaitedFor) await delay(pauseMs);
      continue;
    }
    if (last === undefined || last === before) throw new EndpointFault("server", "an answer without blocks");
    if (last.number === range.to) return { logs, last };
  }
  throw new EndpointFault("server", `no end of a range in ${mostRequests} answers`);
}
