import type { PublicClient } from "viem";
import { pause } from "../../../config/async.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { onReload } from "../../../config/reload.ts";
import type { ChainClients } from "../chain/chain-client.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database, PooledDatabase } from "../database/database.ts";
import type { ReadRoute } from "../database/read-route.ts";
import { readIndexStatePrepared, readWriterState, type WriterState } from "../ponder/index-state.query.ts";
import type { IndexReport, ReplicaReport, SelfCheckReport } from "./index-report.schema.ts";

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
    const [state, comparison] = await Promise.all([readWriter(), route?.report(), readBlocks()]);
    writer = state;
    replica = comparison;
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
    const lastHead = heads.get(chain.id);
    try {
      const readIndexed = async () => (await readBlocks().catch(() => blocks)).get(chain.id);
      const head = await readHead(getClient(chain), lastHead?.head, readIndexed);
      heads.set(chain.id, { ...head, answeredAt: performance.now(), endpointsAnswer: true });
    } catch {
      // The indexer logs endpoint errors.
      heads.set(chain.id, { ...(lastHead ?? createUnknownHead()), endpointsAnswer: false });
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
          const lastHead = heads.get(id);
          const block = blocks.get(id) ?? null;
          const selfCheck = readSelfCheck?.(id);
          const lag = lastHead === undefined || block === null ? undefined : computeLag(block, lastHead, now);
          return {
            chainId: id,
            block,
            headBlock: lastHead?.head === undefined ? null : Math.max(lastHead.head.block, block ?? 0),
            lagBlocks: lag?.blocks ?? null,
            lagSeconds: lag?.seconds ?? null,
            endpointsAnswer: lastHead?.endpointsAnswer ?? true,
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

export function startIndexWatch(deps: IndexWatchDeps): IndexWatch {
  const watch = watchIndex(deps);
  onReload("index watch", watch.stop);
  return watch;
}

/**
 * Asks for the head and, if the index is behind, for the timestamp of the first missing block. Rejects if the endpoints fail.
 *
 * @param readIndexed returns the last indexed block, if there is one; called after the head is known, so that it isn't older
 */
async function readHead(
  client: PublicClient,
  previous: KnownHead["head"],
  readIndexed: () => Promise<number | undefined>,
): Promise<Pick<KnownHead, "head" | "missingSince">> {
  const latest = await readBlock(client);
  const isSame = previous?.block === latest.block && previous.timestamp === latest.timestamp;
  const head = isSame ? previous : { ...latest, seenAt: performance.now() };

  const indexed = await readIndexed();
  if (indexed === undefined || indexed >= head.block) return { head, missingSince: undefined };
  const missing = indexed + 1 === head.block ? latest : await readBlock(client, indexed + 1);
  return { head, missingSince: missing.timestamp };
}

async function readBlock(client: PublicClient, blockNumber?: number) {
  const { number, timestamp } = await client.getBlock(
    blockNumber === undefined ? { blockTag: "latest" } : { blockNumber: BigInt(blockNumber) },
  );
  const block = { block: Number(number), timestamp: Number(timestamp) };
  if (number === null || !Number.isSafeInteger(block.block) || !Number.isSafeInteger(block.timestamp)) {
    throw new Error("the endpoint returned a block without a number or a time");
  }
  return block;
}

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

type Lag = { blocks: number; seconds: number };

/**
 * Measures how far the index is behind the head. Seconds count from the first missing block, in the chain's own time, and, while no
 * endpoint answers, at least from the last answer. A chain that is quiet for long therefore has no lag.
 *
 * @param indexed the last indexed block
 */
export function computeLag(indexed: number, lastHead: KnownHead, now: number): Lag {
  const { head, missingSince, answeredAt, endpointsAnswer } = lastHead;
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
