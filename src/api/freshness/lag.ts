/** What a chain's endpoints last reported. `seenAt`, `answeredAt` and `now` are milliseconds of the same monotonic clock. */
export type KnownHead = {
  /** The head, and when it was first seen. Undefined until an endpoint has answered. */
  head: { block: number; timestamp: number; seenAt: number } | undefined;
  /** The timestamp, in seconds, of the first block that the index was missing then; undefined if it was missing none. */
  missingSince: number | undefined;
  /** When an endpoint last answered; before the first answer, when this process started. */
  answeredAt: number;
  endpointsAnswer: boolean;
};

export type Lag = { blocks: number; seconds: number };

/**
 * Measures how far the index is behind the head. Seconds count from the first missing block, in the chain's own time, and, while no
 * endpoint answers, at least from the last answer. A chain that is quiet for long therefore has no lag.
 *
 * @param indexed the last indexed block
 */
export function computeLag(indexed: number, known: KnownHead, now: number): Lag {
  const { head, missingSince, answeredAt, endpointsAnswer } = known;
  const silence = endpointsAnswer ? 0 : now - answeredAt;
  if (head === undefined || indexed >= head.block) return { blocks: 0, seconds: wholeSeconds(silence) };
  const blocks = head.block - indexed;
  if (missingSince === undefined) return { blocks, seconds: wholeSeconds(silence) };
  const behind = (head.timestamp - missingSince) * 1_000 + (now - head.seenAt);
  return { blocks, seconds: wholeSeconds(Math.max(behind, silence)) };
}

function wholeSeconds(milliseconds: number): number {
  return Math.max(0, Math.floor(milliseconds / 1_000));
}
