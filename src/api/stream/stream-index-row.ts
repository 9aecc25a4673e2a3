/** Ponder's records of a chain, and how far its journal is (`state`, null if there is none). */
export type StreamIndexRow = {
  chain_id: number;
  latest: string;
  safe: string;
  /** Whether the backfill is done. */
  is_ready: boolean;
  /** Whether writing the journal is paused for everyone. */
  is_paused: boolean;
  /** Whether a reorg has reverted rows, and the next block has not been indexed yet. */
  is_reorganizing: boolean;
  /** Identifies the last start of the indexer; null if that was an earlier version, which didn't say. */
  start: string | null;
  /** Identifies the last time that rows were reverted, by a start or a reorg. */
  revert: string;
  /** Changes whenever anything in the tables does. */
  stamp: string;
  state: StreamStateRow | null;
};

type StreamStateRow = {
  begun: number;
  stamp: string | null;
  /** `start` and `revert` at the last comparison. */
  build: string;
  trigger: string;
  latest_block: number;
  compared: string;
  settled: string;
  settled_at: number;
};
