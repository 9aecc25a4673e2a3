import type pg from "pg";
import { type Column, readColumns } from "./columns.ts";
import { creationPosition, type IdColumn, tokenIdOf } from "./ids.ts";
import { publicColumns } from "./registrations.ts";
import {
  answersOfDay,
  candlesOfDay,
  earlyBuyersOfDay,
  liquidityOfDay,
  pastBalancesOfDay,
  tradesOfDay,
  transfersOfDay,
} from "./rows-of-day.ts";

/** A table whose rows never change once their day is final. It has a file for each day. */
export type EventTable = {
  /** Its name in the on-chain schema. */
  table: string;
  /** The folder of its files. */
  folder: string;
  /** Returns the SQL from `from` on that selects the rows of a day as `r`. */
  rowsOfDay: (schema: string, day: DayOfChain) => string;
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
};

/** The seconds of a UTC day, from `start` to below `end`, on one chain. */
export type DayOfChain = { chainId: number; start: number; end: number };

const tokenId: IdColumn = { name: "token_id", of: "token", kind: "token" };

export const eventTables: EventTable[] = [
  {
    ...{ table: "trade", folder: "trades", rowsOfDay: tradesOfDay, order: ["id"] },
    ids: [tokenId, { name: "trader_id", of: "trader", kind: "trader" }],
  },
  {
    ...{ table: "candle", folder: "candles", rowsOfDay: candlesOfDay },
    order: ["token", "interval", "open_time"],
    ids: [tokenId],
  },
  {
    ...{ table: "early_buyer", folder: "early_buyers", rowsOfDay: earlyBuyersOfDay },
    order: ["token", "account"],
    ids: [tokenId, { name: "account_id", of: "account", kind: "trader" }],
  },
  {
    ...{ table: "liquidity_change", folder: "liquidity_changes", rowsOfDay: liquidityOfDay },
    order: ["id"],
    ids: [],
  },
  {
    ...{ table: "transfer", folder: "transfers", rowsOfDay: transfersOfDay },
    order: ["id"],
    ids: [],
  },
  {
    ...{ table: "past_balance", folder: "past_balances", rowsOfDay: pastBalancesOfDay },
    order: ["token", "account", "until_day"],
    ids: [],
  },
  {
    ...{ table: "bnb_usd_answer", folder: "bnb_usd_answers", rowsOfDay: answersOfDay },
    order: ["id"],
    ids: [],
  },
];

export const snapshotTables: SnapshotTable[] = [
  { table: "token", folder: "tokens", key: ["chain_id", "address"], tokenId: () => creationPosition("r") },
  {
    ...{ table: "curve", folder: "curves", key: ["chain_id", "token"] },
    tokenId: (schema) => tokenIdOf(schema, "r.chain_id", "r.token"),
  },
  { table: "holder", folder: "holders", key: ["chain_id", "token", "account"] },
  { table: "dex_pair", folder: "dex_pairs", key: ["chain_id", "address"] },
  { table: "position", folder: "positions", key: ["chain_id", "token", "account"] },
  { table: "token_symbol", folder: "token_symbols", key: ["chain_id", "symbol_hash"] },
  { table: "launchpad", folder: "launchpads", key: ["chain_id"] },
  { table: "account", folder: "accounts", key: ["chain_id", "address"] },
];

/** The off-chain table: the public columns of final tokens' registrations. */
export const registrations = {
  folder: "registrations",
  order: ["mint", "creator", "name", "symbol", "burn_percent"],
};

/** Every folder of a lake. */
export const folders = [...eventTables, ...snapshotTables, registrations].map(({ folder }) => folder);

/** Reads the columns of each folder's table. */
export async function columnsByFolder(client: pg.ClientBase, schema: string): Promise<Map<string, Column[]>> {
  const found = new Map<string, Column[]>();
  for (const { table, folder } of eventTables) {
    found.set(folder, await readColumns(client, { schema, table }));
  }
  for (const { table, folder, tokenId } of snapshotTables) {
    const columns = await readColumns(client, { schema, table });
    if (tokenId !== undefined) columns.push({ name: "token_id", kind: "bigint", sql: tokenId(schema) });
    found.set(folder, columns);
  }
  const registration = { schema: "offchain", table: "registration", only: publicColumns };
  found.set(registrations.folder, await readColumns(client, registration));
  return found;
}
