/** A view for analysts. All its SQL is ours: nothing in it comes from outside. */
export type View = {
  name: string;
  comment: string;
  /** Columns that no two rows share all of, and that are never null. */
  key?: readonly string[];
  /** Each column's expression, and a comment with its unit. */
  columns: Record<string, readonly [expression: string, comment: string]>;
  /** The SQL after `from`. On-chain tables begin with `onchain.`, which is replaced with the schema's name. */
  from: string;
};

/* Exact for any size: unlike a quotient, a product of numerics keeps every digit. */
export const e18 = (expression: string) => `${expression} * 1e-18`;
export const e36 = (expression: string) => `${expression} * 1e-36`;
export const e8 = (expression: string) => `${expression} * 1e-8`;

/**
 * Columns for a time in two forms: a timestamp for people, and the seconds since 1970 that the tables' indexes have.
 *
 * @param use what the seconds are better for; an index may have the timestamp too
 */
export function time(
  names: readonly [time: string, timestamp: string],
  expression: string,
  comment: string,
  use: "ranges" | "order" = "ranges",
): View["columns"] {
  const advice = use === "ranges" ? `For ranges compare ${names[1]}` : `To order by it, use ${names[1]}`;
  return {
    [names[0]]: [`to_timestamp(${expression})`, `${comment}. ${advice}`],
    [names[1]]: [expression, `The same in seconds since 1970`],
  };
}

/** The column that most tables' indexes begin with. */
export const chainOf = (table: string): View["columns"] => ({
  chain_id: [`${table}.chain_id`, "56 (mainnet) or 97 (testnet). Compare it too: indexes begin with it"],
});

/** The column by which copies of a table find the rows that have changed since the last copy. */
export const changed = (expression: string, comment = "It has no index"): View["columns"] => ({
  changed_timestamp: [expression, `When the row last changed, in seconds since 1970. ${comment}`],
});

/** Columns for an event's position in its chain. */
export const placeOf = (table: string): View["columns"] => ({
  block: [`${table}.block`, "Block number"],
  tx: [`${table}.tx`, "Transaction hash"],
  tx_index: [`${table}.tx_index`, "The transaction's index in its block"],
  log_index: [`${table}.log_index`, "The event's log index in its block"],
});
