import type pg from "pg";
import { type Hex, type Range, rangeSize } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";

/**
 * Raise this when another event, or another column of a log, block or transaction, is stored: history that was stored with a
 * lower version is then read again. 2: added the pairs' liquidity events. 3: added the transfers of their liquidity tokens.
 */
const storedVersion = 3;

/** A part of history that is covered by itself: the launchpad with its factory, tokens and pairs (`hasChildren`), or one price feed. */
export type CoveredSource = {
  name: string;
  firstBlock: number;
  addresses: readonly Hex[];
  hasChildren: boolean;
};

/** Lists a chain's sources. Each is covered separately, so that a price feed added later is read from its first block. */
export function coveredSources(sources: Sources): { launchpad: CoveredSource; feeds: CoveredSource[] } {
  const { tokenFactory, launchpad, startBlock, feedStartBlock, priceFeeds } = sources;
  return {
    launchpad: {
      name: `launchpad ${tokenFactory} ${launchpad}`,
      firstBlock: startBlock,
      addresses: [tokenFactory, launchpad],
      hasChildren: true,
    },
    feeds: priceFeeds.map((feed) => ({
      name: `feed ${feed}`,
      firstBlock: feedStartBlock,
      addresses: [feed],
      hasChildren: false,
    })),
  };
}

/** Whether the tokens and pairs belong to one of these. */
export const readsChildren = (parts: readonly CoveredSource[]): boolean =>
  parts.some(({ hasChildren }) => hasChildren);

type Row = { source: string; from: string; to: string };

/**
 * Reads which blocks of each source are stored, by the source's name. Coverage is deleted if Ponder has no blocks of the chain:
 * somebody has then dropped its tables to have history read again.
 */
export async function readCoverage(
  database: Pick<pg.Pool, "query">,
  chainId: number,
): Promise<Map<string, Ranges>> {
  await database.query(
    `delete from offchain.chain_coverage
     where chain_id = $1 and not exists (select 1 from ponder_sync.blocks where chain_id = $1)`,
    [chainId],
  );
  const { rows } = await database.query<Row>(
    `select source, lower(blocks) as from, upper(blocks) - 1 as to
     from (select source, unnest(blocks) as blocks from offchain.chain_coverage where chain_id = $1 and version = $2) one`,
    [chainId, storedVersion],
  );
  const coverage = new Map<string, Ranges>();
  for (const { source, from, to } of rows) {
    coverage.set(source, addRange(coverage.get(source) ?? [], { from: Number(from), to: Number(to) }));
  }
  return coverage;
}

/** Records that a range is stored, in the transaction that stores it. */
export async function writeCoverage(
  client: Pick<pg.ClientBase, "query">,
  chainId: number,
  source: string,
  { from, to }: Range,
): Promise<void> {
  await client.query(
    `insert into offchain.chain_coverage as c (chain_id, source, version, blocks)
     values ($1, $2, $3, int8multirange(int8range($4, $5)))
     on conflict (chain_id, source) do update set
       blocks = case when c.version = excluded.version then c.blocks + excluded.blocks else excluded.blocks end,
       version = excluded.version`,
    [chainId, source, storedVersion, from, to + 1],
  );
}

/** Disjoint ranges of blocks, in order and not adjacent. */
export type Ranges = readonly Range[];

/** Returns the ranges with one more merged in. */
export function addRange(ranges: Ranges, added: Range): Ranges {
  const apart = ranges.filter(({ from, to }) => to + 1 < added.from || from > added.to + 1);
  const touching = [added, ...ranges.filter((range) => !apart.includes(range))];
  const merged = {
    from: Math.min(...touching.map(({ from }) => from)),
    to: Math.max(...touching.map(({ to }) => to)),
  };
  return [...apart, merged].sort((a, b) => a.from - b.from);
}

/** Returns the parts of a range that the ranges don't cover, in order. */
export function missingIn(ranges: Ranges, { from, to }: Range): Range[] {
  const missing: Range[] = [];
  let next = from;
  for (const range of ranges) {
    if (range.to < next) continue;
    if (range.from > to) break;
    if (range.from > next) missing.push({ from: next, to: range.from - 1 });
    next = range.to + 1;
  }
  if (next <= to) missing.push({ from: next, to });
  return missing;
}

export const countBlocks = (ranges: Ranges): number =>
  ranges.reduce((sum, range) => sum + rangeSize(range), 0);
