import type pg from "pg";
import { literal, statement } from "../../offchain/connection.ts";
import { analystReads } from "../../offchain/read-grants.ts";
import { type FinalChain, finalRows } from "../../runtime/ponder/final-rows.ts";
import { type Column, readColumns } from "./columns.ts";

/** A table whose rows never change once their day is final. It has a file for each day. */
export type EventTable = {
  /** Its name in the on-chain schema. */
  table: string;
  /** The folder of its files. */
  folder: string;
  /** Returns the SQL from `from` on that selects the rows of a day as `r`. */
  rowsOfDay: (schema: string, day: DayOfChain) => string;
  /** Seconds: once a multiple of this is final, the rows before it are complete. At most a day. */
  step: number;
  /** Whether a row changes for two blocks after it came about. */
  settles?: boolean;
  /** Columns that the file is sorted by. */
  order: string[];
  /** Number columns, which the table does not have. Each numbered address occurs in a trade of that day. */
  ids: IdColumn[];
};

/** A table whose rows change. Each day's file has all rows, as they were at one final block. */
export type SnapshotTable = {
  table: string;
  folder: string;
  /** The primary key, which is also the order of the file. */
  key: string[];
  /** Returns SQL for the number of the token of row `r`. */
  tokenId?: (schema: string) => string;
  /** Returns SQL for whether a row `r` has changed since a time. Without it, nothing shows that. */
  hasChanged?: (schema: string, since: ChainTime) => string;
};

/** A time on a chain, in seconds since 1970. */
type ChainTime = { chainId: number; seconds: number };

/** The seconds of a UTC day or of a part of one, from `start` to below `end`, on one chain. */
export type DayOfChain = { chainId: number; start: number; end: number };

const tokenId: IdColumn = { name: "token_id", of: "token", kind: "token" };

export const eventTables: EventTable[] = [
  {
    table: "trade",
    folder: "trades",
    rowsOfDay: tradesOfDay,
    step: 1,
    order: ["id"],
    ids: [tokenId, { name: "trader_id", of: "trader", kind: "trader" }],
  },
  {
    table: "candle",
    folder: "candles",
    rowsOfDay: candlesOfDay,
    step: 3_600,
    order: ["token", "interval", "open_time"],
    ids: [tokenId],
  },
  {
    table: "early_buyer",
    folder: "early_buyers",
    rowsOfDay: earlyBuyersOfDay,
    step: 1,
    settles: true,
    order: ["token", "account"],
    ids: [tokenId, { name: "account_id", of: "account", kind: "trader" }],
  },
  {
    table: "liquidity_change",
    folder: "liquidity_changes",
    rowsOfDay: liquidityOfDay,
    step: 1,
    order: ["id"],
    ids: [],
  },
  {
    table: "transfer",
    folder: "transfers",
    rowsOfDay: transfersOfDay,
    step: 1,
    order: ["id"],
    ids: [],
  },
  {
    table: "past_balance",
    folder: "past_balances",
    rowsOfDay: pastBalancesOfDay,
    step: 86_400,
    order: ["token", "account", "until_day"],
    ids: [],
  },
  {
    table: "bnb_usd_answer",
    folder: "bnb_usd_answers",
    rowsOfDay: answersOfDay,
    step: 1,
    order: ["id"],
    ids: [],
  },
];

const byTime = (_: string, { seconds }: ChainTime) => statement`r.changed_at >= ${literal(String(seconds))}`;

export const snapshotTables: SnapshotTable[] = [
  {
    table: "token",
    folder: "tokens",
    key: ["chain_id", "address"],
    tokenId: () => creationPosition("r"),
    hasChanged: tokenHasChanged,
  },
  {
    table: "curve",
    folder: "curves",
    key: ["chain_id", "token"],
    tokenId: (schema) => tokenIdOf(schema, "r.chain_id", "r.token"),
    hasChanged: byTime,
  },
  { table: "holder", folder: "holders", key: ["chain_id", "token", "account"], hasChanged: byTime },
  { table: "dex_pair", folder: "dex_pairs", key: ["chain_id", "address"], hasChanged: byTime },
  { table: "position", folder: "positions", key: ["chain_id", "token", "account"], hasChanged: byTime },
  { table: "token_symbol", folder: "token_symbols", key: ["chain_id", "symbol_hash"] },
  { table: "launchpad", folder: "launchpads", key: ["chain_id"], hasChanged: () => "true" },
  { table: "account", folder: "accounts", key: ["chain_id", "address"], hasChanged: byTime },
];

/** The tables of which is known which rows have changed. */
export const followedTables = snapshotTables.filter(({ hasChanged }) => hasChanged !== undefined);

/** A curve notes each transfer of its token, and the token's row some of them. */
function tokenHasChanged(schema: string, { chainId, seconds }: ChainTime): string {
  const [chain, since] = [literal(String(chainId)), literal(String(seconds))];
  return statement`r.address in (
    select address from ${schema}.token where chain_id = ${chain} and changed_at >= ${since}
    union all select token from ${schema}.curve where chain_id = ${chain} and changed_at >= ${since})`;
}

/** The off-chain table: the public columns of final tokens' registrations. */
export const registrations = {
  folder: "registrations",
  order: ["mint", "creator", "name", "symbol", "burn_percent"],
};

/** Every folder of a lake. */
export const folders = [...eventTables, ...snapshotTables, registrations].map(({ folder }) => folder);

/** Reads the columns of each folder's table. */
export async function columnsByFolder(client: pg.ClientBase, schema: string): Promise<Map<string, Column[]>> {
  const byFolder = new Map<string, Column[]>();
  for (const { table, folder } of eventTables) {
    byFolder.set(folder, await readColumns(client, { schema, table }));
  }
  for (const { table, folder, tokenId } of snapshotTables) {
    const columns = await readColumns(client, { schema, table });
    if (tokenId !== undefined) columns.push({ name: "token_id", kind: "bigint", sql: tokenId(schema) });
    byFolder.set(folder, columns);
  }
  const registration = { schema: "offchain", table: "registration", only: publicColumns };
  byFolder.set(registrations.folder, await readColumns(client, registration));
  return byFolder;
}

/*
 * Tokens and traders have numbers in addition to addresses, because grouping and joining by a number takes a fraction of the time
 * that 42 characters of text take. The number is the position in the chain, block * 1000000 + log index, of the event in which the
 * token or trader first appeared. It is unique among a chain's tokens, and among its traders, and never changes.
 */

/** The kinds of addresses that are numbered, each by another event. */
export type NumberedKind = "token" | "trader";

type IdColumn = {
  name: string;
  /** The column with the address. */
  of: string;
  kind: NumberedKind;
};

/** Returns SQL for the position in the chain of a token's creation, given a row of the token table. */
const creationPosition = (token: string) =>
  `(${statement`${token}`}.created_block * 1000000 + ${statement`${token}`}.created_log_index)`;

/** Returns SQL for a token's number, given an expression for its address. */
function tokenIdOf(schema: string, chain: string, address: string): string {
  return [
    `(select ${creationPosition("created")} from ${statement`${schema}`}.token created`,
    `where created.chain_id = ${chain} and created.address = ${address})`,
  ].join(" ");
}

/** Returns SQL for the addresses in the trades of one or more days, each with its number. */
export function idsOfDays(kind: NumberedKind, schema: string, { chainId, start, end }: DayOfChain): string {
  const [chain, from, to] = [literal(String(chainId)), literal(String(start)), literal(String(end))];
  const traded = statement`from (select distinct ${kind} as address from ${schema}.trade
      where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${to}) traded`;
  return `select address, ${numberOf[kind](schema, statement`${chain}`, "traded.address")} ${traded}`;
}

/** Returns an event table's number columns, each with the SQL that looks a row's number up. */
export const idColumns = ({ ids }: EventTable, schema: string): Column[] =>
  ids.map(({ name, of, kind }) => ({
    name,
    kind: "bigint",
    sql: numberOf[kind](schema, "r.chain_id", statement`r.${of}`),
  }));

const numberOf: Record<NumberedKind, (schema: string, chain: string, address: string) => string> = {
  token: tokenIdOf,
  // From the id of the first trade, which has block and log index in digits.
  trader: (schema, chain, address) =>
    [
      `(select replace(first.id, '-', '')::int8 from ${statement`${schema}`}.trade first`,
      `where first.chain_id = ${chain} and first.trader = ${address} order by first.timestamp, first.id limit 1)`,
    ].join(" "),
};

/** The public columns of a registration: neither its sender nor its signature. */
const publicColumns = analystReads.columns.registration ?? [];

/** Returns SQL for the registrations `r` of final tokens: after a reorg another token may be at the address. */
export function registrationsOf(schema: string, chain: FinalChain, columns: string): string {
  const tokens = finalRows({
    schema,
    table: "token",
    key: ["chain_id", "address"],
    chain,
    columns: statement`r.chain_id, r.address, r.name, r.symbol, r.creator, r.burn_percent`,
  });
  return [
    `select ${columns}`,
    statement`from offchain.registration r where r.chain_id = ${literal(String(chain.chainId))} and exists (select from`,
    `(${tokens}) as t`,
    statement`where t.address = r.mint and t.creator = r.creator and t.name = r.name and t.symbol = r.symbol
      and t.burn_percent = r.burn_percent)`,
  ].join(" ");
}

/*
 * SQL for the rows of a day. All are found by indexes, because the cost of a day must not grow with the table. DuckDB sorts them.
 */

const bounds = ({ chainId, start, end }: DayOfChain) =>
  [literal(String(chainId)), literal(String(start)), literal(String(end))] as const;

function tradesOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.trade r where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

function liquidityOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.liquidity_change r
    where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

function transfersOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.transfer r where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

function pastBalancesOfDay(schema: string, day: DayOfChain): string {
  const chain = literal(String(day.chainId));
  const untilDay = literal(String(day.start / 86_400));
  return statement`from ${schema}.past_balance r where chain_id = ${chain} and until_day = ${untilDay}`;
}

function answersOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from ${schema}.bnb_usd_answer r
    where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}`;
}

/** Candles only have an index by token, not by time; the tokens with candles are those with trades. */
function candlesOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from (select distinct token from ${schema}.trade
      where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end}) traded
    cross join (values ('1m'), ('1h')) as lengths (interval)
    cross join lateral (select * from ${schema}.candle c where c.chain_id = ${chain} and c.token = traded.token
      and c.interval = lengths.interval and c.open_time >= ${start} and c.open_time < ${end} offset 0) r`;
}

/** An early buyer's first buy is a trade in its block. */
function earlyBuyersOfDay(schema: string, day: DayOfChain): string {
  const [chain, start, end] = bounds(day);
  return statement`from (select distinct token, trader, block from ${schema}.trade
      where chain_id = ${chain} and timestamp >= ${start} and timestamp < ${end} and side = 'buy') bought
    cross join lateral (select * from ${schema}.early_buyer e where e.chain_id = ${chain} and e.token = bought.token
      and e.account = bought.trader and e.block = bought.block offset 0) r`;
}
