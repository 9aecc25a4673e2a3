import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type Anchor, excludeOtherChains, findAnchor } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";
import { readHeads } from "./heads.ts";

/** Milliseconds between checks, and before one that failed is repeated. */
const checkMs = 30_000;
const retryMs = 2_000;

export type ChainWatchDeps = {
  chainId: number;
  endpoints: readonly Endpoint[];
  database: Pick<pg.Pool, "query">;
  /** Blocks behind the head at which a block is final. */
  finalityBlocks: number;
  log: (line: string) => void;
};

/** Excludes endpoints on a chain other than the database's or, if the database is still empty, than the majority's. */
export function watchChain({ chainId, endpoints, database, finalityBlocks, log }: ChainWatchDeps) {
  const stopping = new AbortController();
  let last = "";
  let checking: Promise<boolean> | undefined;

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

  /** Returns whether an endpoint is left. */
  async function check(): Promise<boolean> {
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

  async function tryCheck(): Promise<boolean> {
    try {
      const isAnyLeft = await check();
      if (isAnyLeft) last = "";
      else logOnce("stopped: no endpoint is of the chain that the database was filled from");
      return isAnyLeft;
    } catch (error) {
      logOnce(`stopped: ${(error as Error).message}`);
      return false;
    }
  }

  /** Checks once for all concurrent callers. */
  function checkOnce(): Promise<boolean> {
    checking ??= tryCheck().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  /** Resolves after the first check that leaves an endpoint. */
  const first = (async () => {
    while (!(await checkOnce())) await delay(retryMs, undefined, { signal: stopping.signal });
  })();
  const watching = first.then(async () => {
    for (;;) {
      await delay(checkMs, undefined, { signal: stopping.signal });
      await checkOnce();
    }
  });
  watching.catch(endAtStop);

  return {
    /** Checks again now. */
    excludeOthers: checkOnce,
    /** Resolves once the endpoints have been checked and at least one is on our chain. */
    whenVerified: () => first,
    stop: () => stopping.abort(),
  };
}

/** The signal ends both loops. */
const endAtStop = () => {};
