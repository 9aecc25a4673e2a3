import { DuckDBInstance } from "@duckdb/node-api";
import type { OpenDatabase } from "./database.ts";

/*
 * Reads rows of Postgres and of Parquet files as text, with SQL that shares nothing with the export.
 */

export type TextRow = Record<string, string | null>;

/** Returns the rows of a table or a subquery. Times are microseconds since 1970. */
export async function postgresRows(
  { query }: OpenDatabase,
  { from, order, columns }: { from: string; order: string; columns?: string[] },
): Promise<TextRow[]> {
  // JSON.parse would round integers that are too long for a double.
  const rows = await query<{ row: TextRow }>(
    `select (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(r))) as row
     from (select * from ${from}) r order by ${order}`,
  );
  return rows.map(({ row }) =>
    Object.fromEntries(
      (columns ?? Object.keys(row)).toSorted().map((name) => {
        const value = row[name] ?? null;
        return [name, name === "registered_at" && value !== null ? microseconds(value) : value];
      }),
    ),
  );
}

/**
 * Returns the rows of the Parquet files that a pattern matches, with the amounts that exceed a decimal restored from
 * `out_of_range`, and without the columns that the export adds.
 */
export async function parquetRows(files: string, order: string): Promise<TextRow[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(
    `select * from read_parquet('${files}', hive_partitioning = false) order by ${order}`,
  );
  const rows = found.getRowObjects().map(asWritten);
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** Returns a row of the lake or of the sink with the database's columns, each value as text. */
export function asWritten(row: Record<string, unknown>): TextRow {
  const lost = JSON.parse(String(row.out_of_range ?? "{}")) as TextRow;
  const cells = Object.entries(row).flatMap(([name, value]): [string, string | null][] => {
    if (name === "out_of_range") return [];
    const twin = name.replace(/_double$/, "");
    if (twin !== name && twin in row) {
      // It must be the double that is nearest to the exact amount beside it.
      if (value !== (row[twin] === null ? null : Number(row[twin])))
        throw new Error(`${name} is not ${row[twin]}`);
      return [];
    }
    return [[name, lost[name] ?? textOf(value)]];
  });
  return Object.fromEntries(cells.sort(([left], [right]) => (left < right ? -1 : 1)));
}

const textOf = (value: unknown) =>
  value === null
    ? null
    : typeof value === "object" && "micros" in value
      ? String(value.micros)
      : String(value);

/** Converts a timestamp in the form that Postgres uses in JSON. */
export function microseconds(time: string): string {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? "";
  const seconds = Date.parse(time.replace(/\.\d+/, "")) / 1_000;
  return String(BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0")));
}

/** A table with the numeric ids that the files carry beside addresses. */
const withIds = (table: string, columns: string) =>
  `(select r.*, ${columns} from onchain.${table} r) as ${table}`;
const tokenId =
  "(select created_block * 1000000 + created_log_index from onchain.token where address = r.token) as token_id";
const firstTrade = (trader: string) =>
  `(select min(block * 1000000 + log_index) from onchain.trade where trader = r.${trader})`;

/** Event tables: the database's rows before a timestamp in seconds, and their order. */
export const eventRows: Record<string, { from: (before: number) => string; order: string }> = {
  trades: {
    from: (before) =>
      `${withIds("trade", `${tokenId}, ${firstTrade("trader")} as trader_id`)} where timestamp < ${before}`,
    order: "id",
  },
  candles: {
    from: (before) => `${withIds("candle", tokenId)} where open_time < ${before}`,
    order: "token, interval, open_time",
  },
  early_buyers: {
    from: (before) =>
      `${withIds("early_buyer", `${tokenId}, ${firstTrade("account")} as account_id`)}
       where block <= (select max(block) from onchain.trade where timestamp < ${before})`,
    order: "token, account",
  },
  liquidity_changes: {
    from: (before) => `onchain.liquidity_change where timestamp < ${before}`,
    order: "id",
  },
  transfers: { from: (before) => `onchain.transfer where timestamp < ${before}`, order: "id" },
  past_balances: {
    from: (before) => `onchain.past_balance where until_day < ${before / 86_400}`,
    order: "token, account, until_day",
  },
  bnb_usd_answers: { from: (before) => `onchain.bnb_usd_answer where timestamp < ${before}`, order: "id" },
};

/** Snapshot tables: the database's rows, and their order. */
export const snapshotRows: Record<string, [table: string, order: string]> = {
  tokens: [withIds("token", "created_block * 1000000 + created_log_index as token_id"), "address"],
  curves: [withIds("curve", tokenId), "token"],
  holders: ["onchain.holder", "token, account"],
  dex_pairs: ["onchain.dex_pair", "address"],
  positions: ["onchain.position", "token, account"],
  token_symbols: ["onchain.token_symbol", "symbol_hash"],
  launchpads: ["onchain.launchpad", "chain_id"],
  accounts: ["onchain.account", "address"],
};
