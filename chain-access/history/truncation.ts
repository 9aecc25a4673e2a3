import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Range } from "../sources/log.ts";

/** No node truncates answers to fewer logs than this. */
const minTruncatedLogs = 100;
const maxRemembered = 1_000;

/** Learns at how many logs endpoints silently truncate their answers. */
export function createTruncation() {
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
