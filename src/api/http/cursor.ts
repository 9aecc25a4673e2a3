/*
 * Cursors name the entry after which the next page begins, by the columns of its order: what comes or goes before it
 * moves nothing behind it. They also name the kind of list, so that one of another list is refused and does not begin a
 * page at a place that means nothing there. To clients they are opaque.
 */

/** A place in an order by two columns. */
export type KeysetPosition = { first: string; second: string };

/** The order of a kind of list: by time or value, then by place in the chain or mint. */
export type CursorKind = {
  /** What its cursors begin with. */
  list: string;
  /** The most that the first column can hold. */
  largest: bigint;
  second: RegExp;
};

const largestInt8 = 2n ** 63n - 1n;
const mint = /^0x[0-9a-f]{40}$/;

const inChain = { largest: largestInt8, second: /^\d{12}-\d{6}$/ };

/** Trades by time (seconds), then block and log index as in their ids. */
export const tradePlace: CursorKind = { list: "trades", ...inChain };

/** Changes of liquidity by time (seconds), then block and log index as in their ids. */
export const liquidityPlace: CursorKind = { list: "liquidity", ...inChain };

/** Created tokens by time (seconds), then block and log index of the creation. */
export const creationPlace: CursorKind = { list: "created", ...inChain };

/** Positions by the time of their last trade (seconds) and mint. */
export const positionPlace: CursorKind = { list: "positions", largest: largestInt8, second: mint };

/** Holdings by what they are worth (wei) and mint. */
export const holdingPlace: CursorKind = { list: "holdings", largest: 2n ** 512n, second: mint };

function cursorOf({ list }: CursorKind, { first, second }: KeysetPosition): string {
  return `${list}.${first}.${second}`;
}

/** The position that a cursor of that kind names; undefined for any other text. */
export function parseCursor(
  text: string,
  { list, largest, second: form }: CursorKind,
): KeysetPosition | undefined {
  const [name, first = "", second = "", ...rest] = text.split(".");
  if (name !== list || !/^\d{1,160}$/.test(first) || BigInt(first) > largest) return undefined;
  return form.test(second) && rest.length === 0 ? { first, second } : undefined;
}

/**
 * The first `limit` of rows, of which one more than that was read if there is one, and the cursor of the next page.
 */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  kind: CursorKind,
  place: (row: Row) => KeysetPosition,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    nextCursor: rows.length > limit && last !== undefined ? cursorOf(kind, place(last)) : null,
  };
}
