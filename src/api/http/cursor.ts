/*
 * Cursors for keyset pagination. A cursor names the last entry of a page by the columns of the order, so rows that appear
 * or disappear before it don't shift the next page. It also names the kind of list, so that a cursor of another list is
 * refused. To clients cursors are opaque.
 */

/** A position in an order by two columns. */
export type KeysetPosition = { first: string; second: string };

/** The order of a kind of list: by time or value, then by position in the chain or by mint. */
export type CursorKind = {
  /** The prefix of its cursors. */
  list: string;
  /** The largest value that the first column can hold. */
  maxFirst: bigint;
  secondPattern: RegExp;
};

const largestInt8 = 2n ** 63n - 1n;
const mint = /^0x[0-9a-f]{40}$/;

const chainOrder = { maxFirst: largestInt8, secondPattern: /^\d{12}-\d{6}$/ };

/** Trades by time (seconds), then block and log index as in their ids. */
export const tradeCursor: CursorKind = { list: "trades", ...chainOrder };

/** Liquidity changes by time (seconds), then block and log index as in their ids. */
export const liquidityCursor: CursorKind = { list: "liquidity", ...chainOrder };

/** Transfers by time (seconds), then block and log index as in their ids. */
export const transferCursor: CursorKind = { list: "transfers", ...chainOrder };

/** Created tokens by time (seconds), then block and log index of the creation. */
export const creationCursor: CursorKind = { list: "created", ...chainOrder };

/** Positions by the time of their last trade (seconds) and mint. */
export const positionCursor: CursorKind = { list: "positions", maxFirst: largestInt8, secondPattern: mint };

/** Holdings by value (wei) and mint. */
export const holdingCursor: CursorKind = { list: "holdings", maxFirst: 2n ** 512n, secondPattern: mint };

function formatCursor({ list }: CursorKind, { first, second }: KeysetPosition): string {
  return `${list}.${first}.${second}`;
}

/** Returns the position that a cursor of this kind names, or undefined for any other text. */
export function parseCursor(
  text: string,
  { list, maxFirst, secondPattern }: CursorKind,
): KeysetPosition | undefined {
  const [name, first = "", second = "", ...rest] = text.split(".");
  if (name !== list || !/^\d{1,160}$/.test(first) || BigInt(first) > maxFirst) return undefined;
  return secondPattern.test(second) && rest.length === 0 ? { first, second } : undefined;
}

/** Returns a page of at most `limit` rows and the cursor of the next one. `rows` has one row more if there is a next page. */
export function paginate<Row>(
  rows: Row[],
  limit: number,
  kind: CursorKind,
  positionOf: (row: Row) => KeysetPosition,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > limit && last !== undefined ? formatCursor(kind, positionOf(last)) : null,
  };
}
