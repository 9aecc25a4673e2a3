import { eventBlock } from "../../curve/event-id.ts";
import { checkpointBlock } from "../ponder/index-state.query.ts";
import type { StreamIndexRow } from "./stream-index-row.ts";

/**
 * What to do with the journal of a chain:
 *
 * - `begin` it, because there is none, or only one of another chain.
 * - `compare` the tables after `since` with it, for new events, and with `withRemoved` also for removed ones.
 * - `wait`, because the tables are in an intermediate state, or another schema writes the journal.
 * - `rest`, because nothing has changed.
 */
export type Step =
  | { kind: "begin" }
  | { kind: "compare"; since: string; withRemoved: boolean }
  | { kind: "wait" }
  | { kind: "rest" };

/** How long a restarted indexer may make no progress below the block that the previous one had reached. */
export const restartTimeoutMs = 60_000;

/**
 * Decides what to do with the journal of a chain. When Ponder restarts, it reverts what is not final and indexes it again: until it
 * is back at its previous block, rows that the tables lack are not lost. A reorg reverts rows of all chains in its own transaction;
 * the tables of each chain are complete again with its next block.
 *
 * @param unchangedMs for how long Ponder's records have not changed
 */
export function nextStep(row: StreamIndexRow, unchangedMs: number): Step {
  const { state, start, revert } = row;
  if (row.is_paused || !row.is_ready || start === null) return { kind: "wait" };
  if (state === null) return { kind: "begin" };
  if (state.stamp === row.stamp) return { kind: "rest" };

  const latest = checkpointBlock(row.latest);
  const hasRestarted = state.build !== start;
  if (hasRestarted && latest < state.latest_block) {
    if (unchangedMs < restartTimeoutMs) return { kind: "wait" };
    // Below a block that was final, it must be another chain.
    return latest < eventBlock(state.settled) ? { kind: "begin" } : compareAll(state.settled);
  }
  if (row.is_reorganizing) return { kind: "wait" };
  return state.trigger === revert
    ? { kind: "compare", since: state.compared, withRemoved: false }
    : compareAll(state.settled);
}

const compareAll = (since: string) => ({ kind: "compare", since, withRemoved: true }) as const;
