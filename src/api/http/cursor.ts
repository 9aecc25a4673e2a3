import { createHash } from "node:crypto";
import { invalidParameter } from "./problem.ts";

/*
 * Cursors for keyset pagination. A cursor names the last entry of a page by the columns of the order, so rows that appear
 * or disappear before it don't shift the next page. It also names the kind of list, so that a cursor of another list is
 * refused, and what decides which rows are in it: in a list of other rows the position would skip some without a word. To
 * clients cursors are opaque.
 */

/** A position in an order by two columns. */
export type KeysetPosition = { first: string; second: string };

/** The order of a kind of list: by time or value, then by position in the chain or by mint. */
export type CursorKind = {
  /** The prefix of its cursors. */
  list: string;
  /** The largest value that the first column can hold. */
  maxFirst: bigint;
  /** Whether it can also be negative, down to `-maxFirst`. */
  isSigned?: true;
  secondPattern: RegExp;
};

const largestInt8 = 2n ** 63n - 1n;
const address = /^0x[0-9a-f]{40}$/;

const chainOrder = { maxFirst: largestInt8, secondPattern: /^\d{12}-\d{6}$/ };

/** The position of an event in the order of the chain. */
export const chainPosition = ({ timestamp, id }: { timestamp: bigint; id: string }): KeysetPosition => ({
  first: String(timestamp),
  second: id,
});

type Selection = { chainId: number; mint?: string | undefined };

/** Trades by time (seconds), then block and log index as in their ids. */
export const tradeCursor = ({
  chainId,
  mint,
  trader,
}: Selection & { trader?: string | undefined }): CursorKind => ({
  list: `trades-${hashSelection([chainId, mint, trader])}`,
  ...chainOrder,
});

/** Liquidity changes by time (seconds), then block and log index as in their ids. */
export const liquidityCursor = ({ chainId, mint }: Selection): CursorKind => ({
  list: `liquidity-${hashSelection([chainId, mint])}`,
  ...chainOrder,
});

/** Transfers by time (seconds), then block and log index as in their ids. `more` are the other conditions. */
export const transferCursor = ({
  chainId,
  mint,
  ...more
}: Selection & Record<string, unknown>): CursorKind => ({
  list: `transfers-${hashSelection([chainId, mint, more])}`,
  ...chainOrder,
});

type OfAccount = Selection & { account: string };

const accountCursor =
  (list: string, order: Omit<CursorKind, "list">) =>
  ({ chainId, mint, account }: OfAccount): CursorKind => ({
    list: `${list}-${hashSelection([chainId, mint, account])}`,
    ...order,
  });

/** Created tokens by time (seconds), then block and log index of the creation. */
export const creationCursor = accountCursor("created", chainOrder);

/** Positions by the time of their last trade (seconds) and mint. */
export const positionCursor = accountCursor("positions", { maxFirst: largestInt8, secondPattern: address });

/** Holdings by value (wei) and mint. */
export const holdingCursor = accountCursor("holdings", { maxFirst: 2n ** 512n, secondPattern: address });

/** Holders by balance (base units) and account. `selection` is the {@link hashSelection} of what they hold. */
export const holderCursor = (selection: string): CursorKind => ({
  list: `holders-${selection}`,
  maxFirst: 2n ** 256n,
  secondPattern: address,
});

/** Accounts of a leaderboard by the value that ranks them (wei, or a number) and address. */
export const leaderCursor = (board: string, isAmount: boolean): CursorKind => ({
  list: `leaders-${board}`,
  ...(isAmount ? { maxFirst: 2n ** 256n, isSigned: true } : { maxFirst: largestInt8 }),
  secondPattern: address,
});

/** Hashes what decides which rows are in a list, and their order: a position means nothing in another one. Eight characters of base64url. */
export function hashSelection(selection: unknown): string {
  return createHash("sha1").update(JSON.stringify(selection)).digest("base64url").slice(0, 8);
}

function formatCursor({ list }: CursorKind, { first, second }: KeysetPosition): string {
  return `${list}.${first}.${second}`;
}

/** Returns the position that a cursor of this kind names, or undefined for any other text. */
export function parseCursor(
  text: string,
  { list, maxFirst, isSigned, secondPattern }: CursorKind,
): KeysetPosition | undefined {
  const [name, first = "", second = "", ...rest] = text.split(".");
  const number = isSigned ? first.replace(/^-(?=[1-9])/, "") : first;
  if (name !== list || !/^\d{1,160}$/.test(number) || BigInt(number) > maxFirst) return undefined;
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

/** What a query reads of a page. `limit` is one more than the page has, to know whether there is a next one. */
export type KeysetPage = { after: KeysetPosition | undefined; limit: number };

/** What a client asks for: where the page begins, as it was sent, and how many rows it has. */
export type AskedPage = { cursor?: string | undefined; limit: number };

/**
 * Reads the page of a list that begins after a cursor, and returns it as {@link paginate} does. Throws a problem for a cursor of another
 * list.
 */
export async function readPage<Row>(
  { cursor, limit }: AskedPage,
  kind: CursorKind,
  positionOf: (row: Row) => KeysetPosition,
  read: (page: KeysetPage) => Promise<Row[]>,
) {
  const after = cursor === undefined ? undefined : parseCursor(cursor, kind);
  if (cursor !== undefined && after === undefined) {
    throw invalidParameter(
      "cursor",
      "must be the nextCursor of an answer, unchanged: repeat the other parameters, or start again without it",
    );
  }
  return paginate(await read({ after, limit: limit + 1 }), limit, kind, positionOf);
}

type RankedPlace = {
  /** How many rows come before the first one. */
  ahead: number;
  /** The number that was asked for. Undefined with a cursor. */
  page: number | undefined;
  limit: number;
  /** The last rank that pages reach. */
  maxRank: number;
  kind: CursorKind;
};

/**
 * Returns a page of a list that has ranks, and so numbered pages beside cursors. `rows` has one row more than the page if there is a next
 * one.
 */
export function toRankedPage<Row>(
  rows: Row[],
  { ahead, page, limit, maxRank, kind }: RankedPlace,
  positionOf: (row: Row) => KeysetPosition,
) {
  const { rows: onPage, nextCursor } = paginate(
    rows,
    Math.min(limit, Math.max(0, maxRank - ahead)),
    kind,
    positionOf,
  );
  const isLast = nextCursor === null || ahead + onPage.length >= maxRank;
  return {
    rows: onPage,
    place: {
      page: page ?? 1 + Math.floor(ahead / limit),
      limit,
      hasMore: !isLast && (page === undefined || ahead + 2 * limit <= maxRank),
      nextCursor: isLast ? null : nextCursor,
    },
  };
}

/** Throws a problem for a request that has both. */
export function refuseCursorWithPage({ cursor, page }: { cursor: unknown; page: number | undefined }): void {
  if (cursor !== undefined && page !== undefined) {
    throw invalidParameter("cursor", "says where the page begins: leave out either cursor or page");
  }
}

/**
 * The offset of a numbered page of a ranked list. Throws a problem for a request that has a cursor as well, or goes beyond the last rank
 * that can be paged to; `instead` says what has the rest.
 */
export function rankedOffset(
  { cursor, page, limit }: { cursor: unknown; page: number | undefined; limit: number },
  maxRank: number,
  instead: string,
): number {
  refuseCursorWithPage({ cursor, page });
  const offset = ((page ?? 1) - 1) * limit;
  if (offset + limit > maxRank) {
    throw invalidParameter("page", `times limit must not exceed ${maxRank}: ${instead}`);
  }
  return offset;
}
