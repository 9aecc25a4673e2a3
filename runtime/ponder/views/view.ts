/** A view for analysts. Its text is ours: nothing of it comes from outside. */
export type View = {
  name: string;
  comment: string;
  /** Each column's expression, and its comment with the unit. */
  columns: Record<string, readonly [expression: string, comment: string]>;
  /** What follows `from`. Tables of the on-chain schema begin with `onchain.`, which is replaced by its name. */
  from: string;
};

/* Exact, whatever the size: a product of numerics keeps every digit, which a quotient doesn't. */
export const e18 = (expression: string) => `${expression} * 1e-18`;
export const e36 = (expression: string) => `${expression} * 1e-36`;
export const e8 = (expression: string) => `${expression} * 1e-8`;

/** A time in both forms: for people, and in seconds since 1970, which the tables' indexes have. */
export function time(
  names: readonly [time: string, timestamp: string],
  expression: string,
  comment: string,
): View["columns"] {
  return {
    [names[0]]: [`to_timestamp(${expression})`, `${comment}. For ranges compare ${names[1]}`],
    [names[1]]: [expression, `The same in seconds since 1970`],
  };
}

/** The columns by which most tables' rows are found. */
export const chainOf = (table: string): View["columns"] => ({
  chain_id: [`${table}.chain_id`, "56 (mainnet) or 97 (testnet). Compare it too: indexes begin with it"],
});

/** Where an event is in its chain. */
export const placeOf = (table: string): View["columns"] => ({
  block: [`${table}.block`, "Block number"],
  tx: [`${table}.tx`, "Transaction hash"],
  tx_index: [`${table}.tx_index`, "The transaction's index in its block"],
  log_index: [`${table}.log_index`, "The event's log index in its block"],
});
