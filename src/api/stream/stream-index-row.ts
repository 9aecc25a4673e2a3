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
  /** Ponder recreates its indexes on each start, and its triggers on each start and each reorg. */
  build: string | null;
  trigger: string | null;
  /** Changes whenever anything in the tables does. */
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
