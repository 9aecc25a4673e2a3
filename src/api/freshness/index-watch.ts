import type { ChainSettings } from "../../../config/env.ts";
import type { ChainClients } from "../chain/chain-client.ts";
import { pause } from "../concurrency/pause.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database, PooledDatabase } from "../database/database.ts";
import type { ReadRoute } from "../database/read-route.ts";
import { readIndexStatePrepared } from "../ponder/index-state.query.ts";
import { readWriterState, type WriterState } from "../ponder/writer-state.query.ts";
import type { IndexReport } from "./index-report.schema.ts";
import { computeLag, type KnownHead } from "./lag.ts";
import { readHead } from "./read-head.ts";
import type { ReplicaReport } from "./replica-report.schema.ts";
import type { SelfCheckReport } from "./self-check-report.schema.ts";

/** The interval at which all chains are asked for their heads. */
const pollIntervalMs = 5_000;

export type IndexWatch = ReturnType<typeof watchIndex>;

export type IndexWatchDeps = {
  chains: ChainSettings[];
  /** Where answers are read from, and thus what counts as indexed. */
  db: PooledDatabase;
  /** Where the indexer writes, if that is another database. */
  primary?: Database;
  route?: Pick<ReadRoute, "report"> | undefined;
  getClient: ChainClients;
  readSelfCheck?: (chainId: number) => SelfCheckReport | undefined;
};

/** Polls the chains' heads in the background, and reports how far the index is behind them. */
export function watchIndex({ chains, db, primary = db, route, getClient, readSelfCheck }: IndexWatchDeps) {
  const stopping = new AbortController();
  const heads = new Map<number, KnownHead>();
  let blocks: ReadonlyMap<number, number> = new Map();
  let writer: WriterState = { isReady: false, isGone: false };
  let replica: ReplicaReport | undefined;

  const readBlocks = singleFlight(async () => {
    const { chains: indexed } = await readIndexStatePrepared(db);
    blocks = new Map(indexed.map(({ chainId, block }) => [chainId, block]));
    return blocks;
  });
  const refresh = singleFlight(async () => {
    const [state, found] = await Promise.all([readWriter(), route?.report(), readBlocks()]);
    writer = state;
    replica = found;
    return state;
  });

  /** While the primary is unavailable the indexer can't write either: the replica has its last heartbeat. */
  async function readWriter(): Promise<WriterState> {
    return await readWriterState(primary).catch((error: unknown) => {
      if (primary === db) throw error;
      return readWriterState(db);
    });
  }

  async function pollHead(chain: ChainSettings): Promise<void> {
    const known = heads.get(chain.id);
    try {
      const readIndexed = async () => (await readBlocks().catch(() => blocks)).get(chain.id);
      const found = await readHead(getClient(chain), known?.head, readIndexed);
      heads.set(chain.id, { ...found, answeredAt: performance.now(), endpointsAnswer: true });
    } catch {
      // The indexer logs endpoint errors.
      heads.set(chain.id, { ...(known ?? createUnknownHead()), endpointsAnswer: false });
    }
  }

  void (async () => {
    while (!stopping.signal.aborted) {
      await Promise.all(chains.map(pollHead));
      await pause(pollIntervalMs, stopping.signal);
    }
  })();

  return {
    /** Reads the last indexed block of each chain. */
    readBlocks,
    /** Updates what {@link report} says about the index. */
    refresh,
    /** How far the index is behind, as of the last reads. */
    report(): IndexReport {
      const now = performance.now();
      return {
        writer: writer.isGone ? "gone" : "live",
        chains: chains.map(({ id }) => {
          const known = heads.get(id);
          const block = blocks.get(id) ?? null;
          const selfCheck = readSelfCheck?.(id);
          const lag = known === undefined || block === null ? undefined : computeLag(block, known, now);
          return {
            chainId: id,
            block,
            headBlock: known?.head === undefined ? null : Math.max(known.head.block, block ?? 0),
            lagBlocks: lag?.blocks ?? null,
            lagSeconds: lag?.seconds ?? null,
            endpointsAnswer: known?.endpointsAnswer ?? true,
            ...(selfCheck === undefined ? {} : { selfCheck }),
          };
        }),
        ...(replica === undefined ? {} : { replica }),
      };
    },
    stop: () => stopping.abort(),
  };
}

const startedAt = performance.now();
const createUnknownHead = (): KnownHead => ({
  head: undefined,
  missingSince: undefined,
  answeredAt: startedAt,
  endpointsAnswer: false,
});
