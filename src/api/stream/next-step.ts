import { eventBlock } from "../../curve/event-id.ts";
import { checkpointBlock } from "../ponder/index-state.query.ts";
import type { StreamIndexRow } from "./stream-index-row.ts";

/**
 * What to do about the journal of a chain. `begin`: it has none, or one of another chain. `compare`: what the tables have
 * after `since`, with `isWhole` for what they have no more too. `wait`: the tables are on their way to something, or the journal
 * is another schema's to write. `rest`: nothing has changed.
 */
export type Step =
  | { kind: "begin" }
  | { kind: "compare"; since: string; isWhole: boolean }
  | { kind: "wait" }
  | { kind: "rest" };

/** How long an indexer that has started again may stand still below the block where the last one was. */
export const patienceMs = 60_000;

/**
 * Ponder that starts again takes back what is not final, and indexes it once more: until it is where it was, what the tables lack
 * is not lost. A reorg takes rows back in a transaction of its own, of all chains; each chain is whole again with its next block.
 *
 * @param standingMs for how long nothing has changed in Ponder's records
 */
export function nextStep(row: StreamIndexRow, standingMs: number): Step {
  const { state, build, trigger } = row;
  if (row.is_paused || !row.is_ready || build === null || trigger === null) return { kind: "wait" };
  if (state === null) return { kind: "begin" };
  if (state.stamp === row.stamp) return { kind: "rest" };

  const latest = checkpointBlock(row.latest);
  const hasRestarted = state.build !== build;
  if (hasRestarted && latest < state.latest_block) {
    if (standingMs < patienceMs) return { kind: "wait" };
    // Below what was final, it is not the same chain.
    return latest < eventBlock(state.settled) ? { kind: "begin" } : whole(state.settled);
  }
  if (row.is_reorganizing) return { kind: "wait" };
  return state.trigger === trigger
    ? { kind: "compare", since: state.compared, isWhole: false }
    : whole(state.settled);
}

const whole = (since: string) => ({ kind: "compare", since, isWhole: true }) as const;
