import type pg from "pg";
import { eventTopics } from "../sources/events.ts";
import { type Log, type Range, rangeSize } from "../sources/log.ts";
import type { Child, Sources } from "../sources/sources.ts";

type Client = Pick<pg.ClientBase, "query">;

/** A window that has fewer logs than when it was stored. */
export type Loss = Range & { stored: number; left: number };

/** Windows that one statement counts: a few million logs at most. */
const windowsPerStatement = 200;
/** Milliseconds between lines about a count that takes long. */
const progressMs = 10_000;
/** An arbitrary number: CREATE TABLE IF NOT EXISTS fails when two connections run it at the same time. */
const creationLock = 5_609_700_006;

/**
 * Creates the index of the logs that announce a token or a pair, which are read at each start: few, among all the others. Ponder's
 * tables must exist.
 */
export async function createCreationsIndex(database: Client): Promise<void> {
  const { rows } = await database.query<{ is_missing: boolean }>(
    "select to_regclass('ponder_sync.logs_of_creations') is null as is_missing",
  );
  // Even if it exists, the statement would wait for all writers.
  if (rows[0]?.is_missing !== true) return;
  await database.query(
    `select pg_advisory_xact_lock(${creationLock});
     create index if not exists logs_of_creations on ponder_sync.logs (chain_id, address, topic0, block_number, log_index)
       where topic0 in ('${eventTopics.tokenCreated}', '${eventTopics.graduated}')`,
  );
}

/** Creates the table of the windows beside Ponder's tables, which must exist: whoever drops the logs drops the counts as well. */
export async function createWindowsTable(database: Client): Promise<void> {
  await database.query(
    `select pg_advisory_xact_lock(${creationLock});
     create table if not exists ponder_sync.stored_windows (
       chain_id int8 not null, first_block int8 not null, last_block int8 not null,
       logs int8 not null, children int8 not null,
       primary key (chain_id, first_block, last_block))`,
  );
}

/** Whether a log announces a token or a pair, by the parameters from $4 on. */
const isAnnouncement = "(address, topic0) in (($4, $5), ($6, $7))";
const announcements = ({ tokenFactory, launchpad }: Sources): string[] => [
  tokenFactory,
  eventTopics.tokenCreated,
  launchpad,
  eventTopics.graduated,
];

/**
 * Records how many logs a window has, and how many of them announce a token or a pair, in the transaction that has stored them. All
 * logs of its blocks count, whatever stored them: later there may be more, never fewer.
 *
 * @param joinedBlocks together with the window before it, if both have at most so many blocks
 */
export async function recordWindow(
  client: Client,
  sources: Sources,
  { from, to }: Range,
  joinedBlocks = 0,
): Promise<void> {
  await client.query(
    `with before as (
       delete from ponder_sync.stored_windows where chain_id = $1 and last_block = $2::int8 - 1 and $3::int8 - first_block < $8
       returning first_block, logs, children),
     part as (
       select count(*) as logs, count(*) filter (where ${isAnnouncement}) as children
       from ponder_sync.logs where chain_id = $1 and block_number between $2 and $3)
     insert into ponder_sync.stored_windows (chain_id, first_block, last_block, logs, children)
     select $1, coalesce(before.first_block, $2), $3, part.logs + coalesce(before.logs, 0),
       part.children + coalesce(before.children, 0)
     from part left join before on true
     on conflict (chain_id, first_block, last_block) do update
       set logs = excluded.logs, children = excluded.children`,
    [sources.chainId, from, to, ...announcements(sources), joinedBlocks],
  );
}

/** Deletes stored logs that are not on the chain, of which their windows are not to count as lost. */
export async function deleteForeign(client: Client, sources: Sources, logs: readonly Log[]): Promise<void> {
  await client.query(
    `with deleted as (
       delete from ponder_sync.logs where chain_id = $1 and (block_number, log_index) in (
         select * from unnest($2::int8[], $3::int4[]))
       returning block_number, address, topic0),
     lowered as (
       select first_block, last_block, count(*) as logs,
         count(*) filter (where ${isAnnouncement}) as children
       from ponder_sync.stored_windows join deleted on block_number between first_block and last_block
       where chain_id = $1 group by 1, 2)
     update ponder_sync.stored_windows stored
     set logs = stored.logs - lowered.logs, children = stored.children - lowered.children
     from lowered where chain_id = $1 and (stored.first_block, stored.last_block) = (lowered.first_block, lowered.last_block)`,
    [
      sources.chainId,
      logs.map(({ blockNumber }) => Number(blockNumber)),
      logs.map(({ logIndex }) => Number(logIndex)),
      ...announcements(sources),
    ],
  );
}

/** Whether an announcement of a token or a pair is gone: then following the chain would miss its events. */
export async function lacksChildren(
  database: Client,
  chainId: number,
  children: readonly Child[],
): Promise<boolean> {
  const { rows } = await database.query<Record<"first" | "last" | "children", string>>(
    `select first_block as first, last_block as last, children
     from ponder_sync.stored_windows where chain_id = $1 and children > 0`,
    [chainId],
  );
  const blocks = Float64Array.from(children, ({ block }) => block).sort();
  return rows.some(
    ({ first, last, children }) =>
      countBelow(blocks, Number(last) + 1) - countBelow(blocks, Number(first)) < Number(children),
  );
}

/** Counts the sorted numbers that are below a limit. */
function countBelow(numbers: Float64Array, limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Counts the logs of all windows that reach a block or a later one, and finds those that have lost some. Windows that were stored
 * before there were counts are unknown. Each window is one scan of a range of the primary key.
 */
export async function findLosses(
  database: Client,
  chainId: number,
  { from, log }: { from: number; log: (line: string, level?: "warn") => void },
): Promise<Loss[]> {
  const losses: Loss[] = [];
  let last: Range = { from: -1, to: -1 };
  let lineAt = performance.now();
  for (;;) {
    const { rows } = await database.query<Record<"first" | "last" | "stored" | "left", string>>(
      `select first_block as first, last_block as last, logs as stored,
         (select count(*) from ponder_sync.logs
          where chain_id = $1 and block_number between first_block and last_block) as left
       from (select first_block, last_block, logs from ponder_sync.stored_windows
             where chain_id = $1 and last_block >= $2 and (first_block, last_block) > ($3, $4)
             order by first_block, last_block limit ${windowsPerStatement}) batch
       order by first_block, last_block`,
      [chainId, from, last.from, last.to],
    );
    const windows = rows.map(
      (row): Loss => ({
        from: Number(row.first),
        to: Number(row.last),
        stored: Number(row.stored),
        left: Number(row.left),
      }),
    );
    losses.push(...windows.filter(({ stored, left }) => left < stored));
    if (windows.length < windowsPerStatement) return losses;
    last = windows.at(-1) ?? last;
    if (performance.now() - lineAt < progressMs) continue;
    lineAt = performance.now();
    log(`counting the stored history's logs: at block ${last.to}`);
  }
}

/** Has Ponder ask for ranges again when it next indexes them. */
export async function forgetIntervals(
  database: Client,
  chainId: number,
  ranges: readonly Range[],
): Promise<void> {
  // Ponder includes a range's upper bound, which is one above its last block.
  await database.query(
    `update ponder_sync.intervals set blocks = (
       select coalesce(range_agg(kept), '{}')
       from unnest(blocks - (select range_agg(numrange(first, last + 1, '()'))
                             from unnest($2::int8[], $3::int8[]) lost(first, last))) kept
       where lower(kept) < upper(kept))
     where chain_id = $1`,
    [chainId, ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
  );
}

/** Has ranges count as unread, for us and for Ponder, and forgets their windows. What is stored of them stays. */
export async function markUnread(database: Client, chainId: number, ranges: readonly Range[]): Promise<void> {
  // First, because the windows are what a start that is interrupted here finds again.
  await forgetIntervals(database, chainId, ranges);
  await database.query(
    `with lost as (select * from unnest($2::int8[], $3::int8[]) lost(first, last)),
       windows as (
         delete from ponder_sync.stored_windows where chain_id = $1 and (first_block, last_block) in (select * from lost))
     update offchain.chain_coverage
     set blocks = blocks - (select range_agg(int8range(first, last + 1)) from lost) where chain_id = $1`,
    [chainId, ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
  );
}

/** Describes losses in one line. */
export function inWords(losses: readonly Loss[]): string {
  const sum = (count: (loss: Loss) => number) => losses.reduce((total, loss) => total + count(loss), 0);
  const from = Math.min(...losses.map((loss) => loss.from));
  const to = Math.max(...losses.map((loss) => loss.to));
  const lost = `${sum(({ stored, left }) => stored - left)} of ${sum(({ stored }) => stored)} logs`;
  return `${lost} are missing in ${sum(rangeSize)} stored blocks from ${from} to ${to}`;
}
