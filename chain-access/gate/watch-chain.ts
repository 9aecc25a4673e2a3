import type pg from "pg";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { hasReplacedBlocks, requestRepair } from "../history/repair-requests.ts";
import { type Anchor, excludeOtherChains, findAnchor, readVotes } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";
import type { createFinalBlocks } from "./final-blocks.ts";
import { readFinalized, readHeads } from "./heads.ts";

/** Milliseconds between checks, and before one that failed, or that found final blocks replaced, is repeated. */
const checkMs = 60_000;
const retryMs = 2_000;
/** Milliseconds for which most endpoints have to have replaced a final block until it counts as replaced. */
const confirmMs = 10_000;

export type ChainWatchDeps = {
  chainId: number;
  endpoints: readonly Endpoint[];
  database: Pick<pg.Pool, "query">;
  /** The Postgres schema that is indexed. */
  schema: string;
  finalBlocks: ReturnType<typeof createFinalBlocks>;
  /** Blocks behind the head at which a block is final. */
  finalityBlocks: number;
  log: (line: string) => void;
  /** Called once the chain has replaced blocks that are indexed as final: nothing more may be indexed into this schema. */
  onReplaced: () => void;
};

/**
 * Excludes endpoints on a chain other than the database's or, if the database is still empty, than the majority's. If it is the chain
 * itself that has replaced final blocks, requests a repair.
 */
export function watchChain(deps: ChainWatchDeps) {
  const { chainId, endpoints, database, schema, finalBlocks, finalityBlocks, log, onReplaced } = deps;
  const stopping = new AbortController();
  let last = "";
  let checking: Promise<boolean> | undefined;
  let again: NodeJS.Timeout | undefined;
  let isVerified = false;
  let isReplaced = false;
  /** When most endpoints were first found to have replaced our final block. */
  let replacedSince: number | undefined;
  /** Blocks of chains that have none of our blocks. */
  const foreign = new Set<Hex>();
  let finalized: Anchor | undefined;

  /** Finds the block that decides which endpoints are used while nothing is stored. One endpoint needs none. */
  async function chooseAnchor(): Promise<Anchor | undefined> {
    if (endpoints.length === 1) return undefined;
    await readHeads(endpoints);
    const heads = endpoints.flatMap(({ head }) => head ?? []);
    return await findAnchor(endpoints, Math.max(0, Math.min(...heads) - finalityBlocks));
  }

  /** Returns the block that most endpoints have in place of ours. With several endpoints, at least two must have it. */
  async function findReplacement({ number, hash: ours }: Anchor): Promise<Hex | undefined> {
    const votes = await readVotes(endpoints, number);
    const countOf = (hash: Hex) => votes.get(hash)?.length ?? 0;
    const [most] = [...votes.keys()].sort((a, b) => countOf(b) - countOf(a));
    const isMajority =
      most !== undefined &&
      most !== ours &&
      countOf(most) > countOf(ours) &&
      countOf(most) >= Math.min(2, endpoints.length);
    return isMajority ? most : undefined;
  }

  /** Requests a repair if the chain has replaced our last final block, and this is neither passing nor another chain. */
  async function checkReplaced(ours: Anchor): Promise<void> {
    const theirs = await findReplacement(ours);
    if (theirs === undefined || foreign.has(theirs)) {
      replacedSince = undefined;
      return;
    }
    replacedSince ??= performance.now();
    if (performance.now() - replacedSince < confirmMs) return;
    const isTheirs = async ({ number, hash }: Anchor) => (await findAnchor(endpoints, number))?.hash === hash;
    const common = await finalBlocks.newestOn(isTheirs);
    if (common === undefined) {
      foreign.add(theirs);
      return;
    }
    const reason = `The chain has replaced block ${ours.number}, which was final: it was ${ours.hash}, and is ${theirs} now. The last block that is still there is ${common.number}.`;
    await requestRepair(database, { chainId, fromBlock: common.number + 1, cause: "reorg", reason });
    stopIndexing(reason);
  }

  function stopIndexing(reason: string): void {
    isReplaced = true;
    // Whoever answers, nothing more is indexed.
    for (const endpoint of endpoints) endpoint.excluded = undefined;
    log(`${reason} Nothing more is indexed into the schema ${schema}, which is served until it is repaired.`);
    onReplaced();
  }

  /** Returns whether an endpoint is left. */
  async function check(): Promise<boolean> {
    if (isReplaced) return true;
    if (await hasReplacedBlocks(database, { chainId, schema })) {
      stopIndexing("The chain has replaced blocks that were final.");
      return true;
    }
    const before = endpoints.map(({ excluded }) => excluded);
    const stored = await finalBlocks.newest();
    const anchor = stored ?? (await chooseAnchor());
    const isAnyLeft = anchor === undefined || (await excludeOtherChains(endpoints, anchor));
    if (stored !== undefined && endpoints.some(({ excluded }) => excluded !== undefined)) {
      await checkReplaced(stored);
      if (isReplaced) return true;
    } else {
      replacedSince = undefined;
      if (stored !== undefined) finalBlocks.record(stored);
    }
    for (const [index, { name, excluded }] of endpoints.entries()) {
      if ((excluded === undefined) === (before[index] === undefined)) continue;
      log(excluded === undefined ? `${name} is used again` : `${name} is not used: ${excluded}`);
    }
    // Only needed to follow the chain, which comes later.
    if (isVerified) finalized = await readFinalized(endpoints);
    return isAnyLeft;
  }

  function logOnce(line: string): void {
    if (line !== last) log(line);
    last = line;
  }

  async function tryCheck(): Promise<boolean> {
    try {
      const isAnyLeft = await check();
      if (isAnyLeft) {
        last = "";
        isVerified = true;
        verified.resolve();
      } else logOnce("stopped: no endpoint is of the chain that the database was filled from");
      return isAnyLeft;
    } catch (error) {
      logOnce(`stopped: ${(error as Error).message}`);
      return false;
    }
  }

  /** Checks once for all concurrent callers. */
  function checkOnce(): Promise<boolean> {
    checking ??= tryCheck().then((isAnyLeft) => {
      checking = undefined;
      clearTimeout(again);
      const isSettled = isAnyLeft && replacedSince === undefined;
      if (!stopping.signal.aborted && !isReplaced)
        again = setTimeout(checkOnce, isSettled ? checkMs : retryMs);
      return isAnyLeft;
    });
    return checking;
  }

  const verified = Promise.withResolvers<void>();
  void checkOnce();

  return {
    /** Checks again now. */
    excludeOthers: checkOnce,
    /** Checks again now. Resolves to whether most endpoints have our last final block. */
    isSettled: async (): Promise<boolean> =>
      (await checkOnce()) && replacedSince === undefined && !isReplaced,
    /** Resolves once the endpoints have been checked and at least one is on our chain. */
    whenVerified: () => verified.promise,
    /** The last block that the chain itself called final at the last check; undefined if it doesn't say. */
    get finalized(): Anchor | undefined {
      return finalized;
    },
    stop(): void {
      stopping.abort();
      clearTimeout(again);
    },
  };
}
