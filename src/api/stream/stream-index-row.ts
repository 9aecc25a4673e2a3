/** Ponder's records of a chain, beside how far its journal is (`state`, null without one). */
export type StreamIndexRow = {
  chain_id: number;
  latest: string;
  safe: string;
  /** Whether the backfill is done. */
  is_ready: boolean;
  /** Whether nobody may write the journal. */
  is_paused: boolean;
  /** Whether a reorg has taken rows back, and the block that follows it is still to come. */
  is_reorganizing: boolean;
  /** Ponder makes its indexes anew with each start, and its triggers with each start and each reorg. */
  build: string | null;
  trigger: string | null;
  /** Changes with whatever changes in the tables. */
  stamp: string;
  state: StreamStateRow | null;
};

type StreamStateRow = {
  begun: number;
  stamp: string | null;
  build: string;
  trigger: string;
  latest_block: number;
  compared: string;
  settled: string;
  settled_at: number;
};
