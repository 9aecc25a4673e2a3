import type pg from "pg";
import { ignore, pause, shareRun } from "../../config/async.ts";
import { createChangeLog } from "../../config/log.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { hasReplacedBlocks, requestRepair } from "../history/repair-requests.ts";
import { isNew } from "../history/stored-events.ts";
import { type Anchor, excludeOtherChains, finalityBlocks, findAnchor, readVotes } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";
import { readFinalized, readHeads } from "./confirmed-head.ts";

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
  log: (line: string, level?: "warn") => void;
  /** Called once the chain has replaced blocks that are indexed as final: nothing more may be indexed into this schema. */
  onReplaced: () => void;
};

/**
 * Excludes endpoints on a chain other than the database's or, if the database is still empty, than the majority's. If it is the chain
 * itself that has replaced final blocks, requests a repair.
 */
export function watchChain(deps: ChainWatchDeps) {
  const { chainId, endpoints, database, schema, finalBlocks, log, onReplaced } = deps;
  const stopping = new AbortController();
  const logOnce = createChangeLog(log);
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
    if (heads.length === 0) throw new Error("no endpoint answers");
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
    log(
      `${reason} Nothing more is indexed into the schema ${schema}, which is served until it is repaired.`,
      "warn",
    );
    onReplaced();
  }

  /** Returns whether an endpoint is left. */
  async function check(): Promise<boolean> {
    if (isReplaced) return true;
    if (await hasReplacedBlocks(database, { chainId, schema })) {
      stopIndexing("The chain has replaced blocks that were final.");
      return true;
    }
    const exclusions = endpoints.map(({ excluded }) => excluded);
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
      if ((excluded === undefined) === (exclusions[index] === undefined)) continue;
      log(excluded === undefined ? `${name} is used again` : `${name} is not used: ${excluded}`);
    }
    // Only needed to follow the chain, which comes later.
    if (isVerified) finalized = await readFinalized(endpoints);
    return isAnyLeft;
  }

  async function tryCheck(): Promise<boolean> {
    try {
      const isAnyLeft = await check();
      if (isAnyLeft) {
        logOnce("");
        isVerified = true;
        verified.resolve();
      } else logOnce("stopped: no endpoint is of the chain that the database was filled from");
      return isAnyLeft;
    } catch (error) {
      logOnce(`stopped: ${(error as Error).message}`);
      return false;
    }
  }

  const checkOnce = shareRun(async (): Promise<boolean> => {
    const isAnyLeft = await tryCheck();
    clearTimeout(again);
    const isSettled = isAnyLeft && replacedSince === undefined;
    if (!stopping.signal.aborted && !isReplaced) again = setTimeout(checkOnce, isSettled ? checkMs : retryMs);
    return isAnyLeft;
  });

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
    /** Whether the chain has replaced blocks that are indexed as final. */
    get isReplaced(): boolean {
      return isReplaced;
    },
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

/** Milliseconds between writes. */
const restMs = 1_000;

type Row = { number: string; hash: Hex };

const toAnchor = (row: Row | undefined): Anchor | undefined =>
  row && { number: Number(row.number), hash: row.hash };

/**
 * The blocks that were final when they were stored or indexed, in `offchain.final_block`. Those with events are in Ponder's tables,
 * too, but a chain may have none for days.
 */
export function createFinalBlocks(database: Pick<pg.Pool, "query">, chainId: number) {
  const stopping = new AbortController();
  let last: Anchor | undefined;
  let saving: Promise<void> | undefined;

  /** Reads a stored block by its position from the newest, which is 0. */
  async function read(offset: number): Promise<Anchor | undefined> {
    const { rows } = await database.query<Row>(
      `select number, hash from (
         select number, hash from ponder_sync.blocks where chain_id = $1
         union all select number, hash from offchain.final_block where chain_id = $1) stored
       order by number desc offset $2 limit 1`,
      [chainId, offset],
    );
    return toAnchor(rows[0]);
  }

  /** Stores a block if it is the newest. Of older ones, one is kept between each two powers of two from the newest. */
  async function write({ number, hash }: Anchor): Promise<void> {
    await database.query(
      `insert into offchain.final_block (chain_id, number, hash)
       select $1::int, $2::bigint, $3::text
       where not exists (select from offchain.final_block where chain_id = $1 and number >= $2)
       on conflict do nothing`,
      [chainId, number, hash],
    );
    await database.query(
      `delete from offchain.final_block newer using offchain.final_block older
       where newer.chain_id = $1 and newer.number < $2::bigint and older.chain_id = $1 and older.number < newer.number
         and floor(log(2.0, greatest(1, $2 - older.number))) = floor(log(2.0, greatest(1, $2 - newer.number)))`,
      [chainId, number],
    );
  }

  async function save(): Promise<void> {
    for (let saved: Anchor | undefined; saved !== last && last !== undefined; ) {
      saved = last;
      // A database that does not answer is reported by those who need it.
      await write(saved).catch(ignore);
      await pause(restMs, stopping.signal);
    }
  }

  return {
    /** The last one that this process has recorded. */
    get last(): Anchor | undefined {
      return last;
    },

    /** Records a final block of the chain that is indexed, if it is the newest. It is stored within a second or so. */
    record(final: Anchor): void {
      if (final.number <= (last?.number ?? -1)) return;
      last = final;
      saving ??= save().finally(() => {
        saving = undefined;
      });
    },

    /** Reads the newest one. Undefined if there is none, or if somebody has dropped Ponder's tables to have history read again. */
    async newest(): Promise<Anchor | undefined> {
      return (await isNew(database)) ? undefined : await read(0);
    },

    /**
     * Finds the newest one that a chain has. It has all up to some block, and none after it.
     *
     * @returns undefined if it has none
     */
    async newestOn(isOnChain: (block: Anchor) => Promise<boolean>): Promise<Anchor | undefined> {
      let [lost, step] = [0, 1];
      let kept = await read(step);
      while (kept !== undefined && !(await isOnChain(kept))) {
        [lost, step] = [step, 2 * step];
        kept = await read(step);
      }
      let newest = kept;
      // Of those at `lost` the chain has none, and of those at `end` either all, or there are no more.
      for (let end = step; end - lost > 1; ) {
        const middle = Math.floor((lost + end) / 2);
        const block = await read(middle);
        const isKept = block === undefined || (await isOnChain(block));
        if (!isKept) lost = middle;
        else [end, newest] = [middle, block];
      }
      return newest;
    },

    /** Resolves once the last one is stored. */
    async stop(): Promise<void> {
      stopping.abort();
      await saving;
    },
  };
}
