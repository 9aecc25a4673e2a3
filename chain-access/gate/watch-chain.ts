import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type Anchor, excludeOtherChains, findAnchor } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";
import { readHeads } from "./heads.ts";

/** Milliseconds between two looks, and after one that failed. */
const lookMs = 30_000;
const retryMs = 2_000;

export type ChainWatchDeps = {
  chainId: number;
  endpoints: readonly Endpoint[];
  database: Pick<pg.Pool, "query">;
  /** Blocks after which one is final. */
  finalityBlocks: number;
  log: (line: string) => void;
};

/** Keeps out endpoints that are on another chain than the database, or than most others if there is nothing in it yet. */
export function watchChain({ chainId, endpoints, database, finalityBlocks, log }: ChainWatchDeps) {
  const stopping = new AbortController();
  let last = "";
  let looking: Promise<boolean> | undefined;

  /** The last final block that is stored. */
  async function readStored(): Promise<Anchor | undefined> {
    const { rows } = await database.query<{ number: string; hash: Hex }>(
      `select number, hash from ponder_sync.blocks where chain_id = $1 order by number desc limit 1`,
      [chainId],
    );
    const [row] = rows;
    return row === undefined ? undefined : { number: Number(row.number), hash: row.hash };
  }

  async function readAnchor(): Promise<Anchor | undefined> {
    const isThere = await database.query("select to_regclass('ponder_sync.blocks') is not null as is_there");
    const stored = isThere.rows[0]?.is_there ? await readStored() : undefined;
    if (stored !== undefined || endpoints.length === 1) return stored;
    await readHeads(endpoints);
    const heads = endpoints.flatMap(({ head }) => head ?? []);
    return await findAnchor(endpoints, Math.max(0, Math.min(...heads) - finalityBlocks));
  }

  /** Whether an endpoint is left. */
  async function look(): Promise<boolean> {
    const before = endpoints.map(({ excluded }) => excluded);
    const anchor = await readAnchor();
    const isAnyLeft = anchor === undefined || (await excludeOtherChains(endpoints, anchor));
    for (const [index, { name, excluded }] of endpoints.entries()) {
      if ((excluded === undefined) === (before[index] === undefined)) continue;
      log(excluded === undefined ? `${name} is used again` : `${name} is not used: ${excluded}`);
    }
    return isAnyLeft;
  }

  function logOnce(line: string): void {
    if (line !== last) log(line);
    last = line;
  }

  async function lookSafely(): Promise<boolean> {
    try {
      const isAnyLeft = await look();
      if (isAnyLeft) last = "";
      else logOnce("stopped: no endpoint is of the chain that the database was filled from");
      return isAnyLeft;
    } catch (error) {
      logOnce(`stopped: ${(error as Error).message}`);
      return false;
    }
  }

  /** One look at a time, for all who ask. */
  function lookTogether(): Promise<boolean> {
    looking ??= lookSafely().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  /** Settles the first look. */
  const first = (async () => {
    while (!(await lookTogether())) await delay(retryMs, undefined, { signal: stopping.signal });
  })();
  const watching = first.then(async () => {
    for (;;) {
      await delay(lookMs, undefined, { signal: stopping.signal });
      await lookTogether();
    }
  });
  watching.catch(endAtStop);

  return {
    /** Looks again now. */
    excludeOthers: lookTogether,
    /** Resolves once it is known who is on which chain, and somebody is on ours. */
    whenKnown: () => first,
    stop: () => stopping.abort(),
  };
}

/** The loops end with the signal. */
const endAtStop = () => {};
