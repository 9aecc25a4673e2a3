import type pg from "pg";
import { numberToHex, zeroHash } from "../hex.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log, Range } from "../sources/log.ts";
import { type Child, childFromLog, type Sources } from "../sources/sources.ts";

type Row = {
  block_number: string;
  block_hash: Hex;
  log_index: number;
  transaction_index: number;
  transaction_hash: Hex;
  address: Hex;
  topic0: Hex;
  topic1: Hex | null;
  topic2: Hex | null;
  topic3: Hex | null;
  data: Hex;
};

type Database = Pick<pg.Pool, "query">;

/** Whether Ponder has never used this database, so that it has no tables for events yet. */
export async function isNew(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ is_new: boolean }>(
    "select to_regclass('ponder_sync.logs') is null as is_new",
  );
  return rows[0]?.is_new === true;
}

/** Reads the number of the last stored block before a time in seconds since 1970; -1 if there is none. */
export async function readBlockAt(database: Database, chainId: number, seconds: number): Promise<number> {
  // Times have no index: without this, all blocks would be read.
  if (seconds === 0) return -1;
  const { rows } = await database.query<{ number: string }>(
    "select number from ponder_sync.blocks where chain_id = $1 and timestamp < $2 order by number desc limit 1",
    [chainId, seconds],
  );
  return Number(rows[0]?.number ?? -1);
}

/** Reads the stored logs of one event of one contract, as eth_getLogs would return them. */
export async function readStoredLogs(
  database: Database,
  chainId: number,
  { address, topic, from, to }: Range & { address: Hex; topic: Hex },
): Promise<Log[]> {
  const { rows } = await database.query<Row>(
    `select * from ponder_sync.logs
     where chain_id = $1 and block_number between $2 and $3 and address = $4 and topic0 = $5
     order by block_number, log_index`,
    [chainId, from, to, address, topic],
  );
  return rows.map(toLog);
}

/** Reads the tokens and pairs that are named by stored events. */
export async function readChildren(database: Database, sources: Sources): Promise<Child[]> {
  const { chainId, tokenFactory, launchpad } = sources;
  const { rows } = await database.query<Row>(
    `select * from ponder_sync.logs
     where chain_id = $1 and (address, topic0) in (($2, $3), ($4, $5))`,
    [chainId, tokenFactory, eventTopics.tokenCreated, launchpad, eventTopics.graduated],
  );
  return rows.flatMap((row) => childFromLog(sources, toLog(row)) ?? []);
}

/**
 * Adds to Ponder's own list of tokens and pairs those that it lacks up to a block through which Ponder has read them, and returns how
 * many. The list decides whose events are indexed after a restart. Ponder never repeats an addition whose transaction has failed.
 */
export async function restoreChildList(
  database: Database,
  { chainId, tokenFactory, launchpad }: Sources,
  children: readonly Child[],
  through: number,
): Promise<number> {
  const announcedBy = {
    token: [eventTopics.tokenCreated, tokenFactory],
    pair: [eventTopics.graduated, launchpad],
  };
  let restored = 0;
  for (const type of ["token", "pair"] as const) {
    const announced = children.filter((child) => child.type === type && child.block <= through);
    const { rowCount } = await database.query(
      // Grouped, because a look into the list for each child would pass all that are in it, and those just added.
      `with factory as (
         select id from ponder_sync.factories
         where (factory ->> 'chainId')::int8 = $1 and factory ->> 'eventSelector' = $2 and factory -> 'address' ? $3
       )
       insert into ponder_sync.factory_addresses (factory_id, chain_id, block_number, address)
       select factory_id, $1, min(block_number) filter (where not is_listed), address
       from (
         select id as factory_id, address, block_number, false as is_listed
         from factory, unnest($4::text[], $5::int8[]) announced (address, block_number)
         union all
         select factory_id, address, block_number, true
         from ponder_sync.factory_addresses where factory_id in (select id from factory)
       ) child
       group by factory_id, address
       having min(block_number) filter (where not is_listed)
         < coalesce(min(block_number) filter (where is_listed), 9223372036854775807)`,
      [
        chainId,
        ...announcedBy[type],
        announced.map(({ address }) => address),
        announced.map(({ block }) => block),
      ],
    );
    restored += rowCount ?? 0;
  }
  return restored;
}

/**
 * Reads the block up to which Ponder itself recorded tokens and pairs while it followed the chain in earlier runs, beyond our
 * coverage. {@link readChildren} finds them.
 */
export async function readKnownThrough(database: Database, sources: Sources): Promise<number> {
  return await readPonderThrough(database, sources, sources.startBlock);
}

/** Reads the block up to which Ponder has stored final blocks while it followed the chain; -1 if it has not. */
export async function readFollowedThrough(database: Database, sources: Sources): Promise<number> {
  return await readPonderThrough(database, sources, null);
}

/** Reads the end of the ranges that Ponder has recorded of creations and graduations; of those that hold a block, if one is given. */
async function readPonderThrough(
  database: Database,
  { chainId, tokenFactory, launchpad }: Sources,
  block: number | null,
): Promise<number> {
  const { rows } = await database.query<{ through: string | null }>(
    `select max(upper(one))::int8 - 1 as through
     from ponder_sync.intervals, unnest(blocks) one
     where chain_id = $1 and (starts_with(fragment_id, $2) or starts_with(fragment_id, $3))
       and ($4::numeric is null or one @> $4::numeric)
     group by fragment_id`,
    [chainId, `factory_log_${chainId}_${tokenFactory}_`, `factory_log_${chainId}_${launchpad}_`, block],
  );
  // The lower of both: a missing pair is as bad as a missing token.
  return rows.length < 2 ? -1 : Math.min(...rows.map(({ through }) => Number(through)));
}

/** Reads the contracts that have emitted stored logs since a time in seconds since 1970. */
export async function readActive(database: Database, chainId: number, since: number): Promise<Hex[]> {
  const { rows } = await database.query<{ address: Hex }>(
    "select distinct address from ponder_sync.logs where chain_id = $1 and block_number > $2",
    [chainId, await readBlockAt(database, chainId, since)],
  );
  return rows.map(({ address }) => address);
}

/** Reads all stored logs of a range. */
export async function readStoredRange(
  database: Database,
  chainId: number,
  { from, to }: Range,
): Promise<Log[]> {
  const { rows } = await database.query<Row>(
    "select * from ponder_sync.logs where chain_id = $1 and block_number between $2 and $3",
    [chainId, from, to],
  );
  return rows.map(toLog);
}

/** Reads the stored logs of a range that tokens and pairs have emitted, or other contracts about these tokens. */
export async function readStoredAbout(
  database: Database,
  chainId: number,
  about: Range & { addresses: readonly Hex[]; contracts: readonly Hex[]; topics: readonly Hex[] },
): Promise<Log[]> {
  const { from, to, addresses, contracts, topics } = about;
  const { rows } = await database.query<Row>(
    `select * from ponder_sync.logs where chain_id = $1 and block_number between $2 and $3
       and (address = any($4) or address = any($5) and topic1 = any($6))`,
    [chainId, from, to, addresses, contracts, topics],
  );
  return rows.map(toLog);
}

const toLog = (row: Row): Log => ({
  address: row.address,
  topics: [row.topic0, row.topic1, row.topic2, row.topic3].filter((topic) => topic !== null),
  data: row.data,
  blockNumber: numberToHex(Number(row.block_number)),
  blockHash: row.block_hash ?? zeroHash,
  transactionHash: row.transaction_hash,
  transactionIndex: numberToHex(row.transaction_index),
  logIndex: numberToHex(row.log_index),
  removed: false,
});
