import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { isNew } from "../history/stored-events.ts";
import type { Anchor } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";

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
      await write(saved).catch(repeatedWithTheNext);
      await delay(restMs, undefined, { signal: stopping.signal }).catch(endRest);
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
      let found = kept;
      // Of those at `lost` the chain has none, and of those at `end` either all, or there are no more.
      for (let end = step; end - lost > 1; ) {
        const middle = Math.floor((lost + end) / 2);
        const block = await read(middle);
        const isKept = block === undefined || (await isOnChain(block));
        if (!isKept) lost = middle;
        else [end, found] = [middle, block];
      }
      return found;
    },

    /** Resolves once the last one is stored. */
    async stop(): Promise<void> {
      stopping.abort();
      await saving;
    },
  };
}

/** A database that does not answer is reported by those who need it. */
const repeatedWithTheNext = () => {};
/** The loop ends once the last one is saved. */
const endRest = () => {};
