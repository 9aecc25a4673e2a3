import { signal } from "@preact/signals";
import type { components } from "../../../client/src/index.ts";
import { chainId } from "../data/chain.ts";
import { api, client, dataOf } from "../data/client.ts";
import { watchlist } from "../data/watchlist.ts";
import type { View } from "./view.ts";

/** The fields of a token that the list shows. */
const rowFields = [
  "mint",
  "name",
  "symbol",
  "description",
  "imageUrl",
  "creator",
  "createdAt",
  "verified",
  "progress",
  "graduated",
  "priceBnb",
  "priceUsd",
  "marketCapBnb",
  "marketCapUsd",
  "holderCount",
  "liquidityBnb",
  "liquidityUsd",
  "websiteUrl",
  "twitterUrl",
  "telegramUrl",
  "risk",
  "creatorRecord",
  "windows",
] as const;

/** The number of tokens per request. */
const pageSize = 20;

type Token = components["schemas"]["Token"];

/** The part of a token that the list shows. */
export type Row = Pick<Token, (typeof rowFields)[number]>;

type Page = { tokens: Row[]; total: number };

export type TokenList = ReturnType<typeof createTokenList>;

/** The lists that were shown last, so that going back shows them at once. */
const cache = new Map<string, TokenList>();
const maxCached = 6;

export function tokenList(view: View): TokenList {
  const starred = view.board === "watchlist" ? watchlist() : undefined;
  const key = JSON.stringify([view, chainId.value, starred]);
  const list = cache.get(key) ?? createTokenList(view, starred);
  cache.delete(key);
  cache.set(key, list);
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  return list;
}

/** What the API is asked for, except of a watchlist. */
function queryOf({ board, sort, window, q, verified }: View) {
  const byChange = sort === "gainers" || sort === "losers";
  return {
    board: board === "watchlist" ? undefined : board,
    sort,
    chainId: chainId.peek(),
    fields,
    limit: pageSize,
    ...(byChange ? { window } : {}),
    ...(q === "" ? {} : { q }),
    ...(verified ? { verified: true as const } : {}),
  };
}

const fields = rowFields.join(",");

/**
 * Reads tokens by address, in this order, without those that the operator has hidden or a reorg took back. What nobody has registered
 * is in no list, and is read one by one.
 */
export async function readRows(
  mints: readonly string[],
  query: { fields: string; chainId: 56 | 97 | undefined },
  minBlock?: number,
): Promise<Row[]> {
  if (mints.length === 0) return [];
  const asked = { ...query, minBlock };
  const { tokens } = await dataOf(
    api.GET("/api/tokens", { params: { query: { ...asked, mint: mints.join(",") } } }),
  );
  const unlisted = mints.filter((mint) => !tokens.some((token) => token.mint === mint));
  const others: object[] = [];
  while (unlisted.length > 0) {
    // A row that can't be read is left out, and comes with a later reading.
    const reading = unlisted.splice(0, readAtOnce).map((mint) => client.token(mint, asked).catch(() => []));
    others.push(...(await Promise.all(reading)).flat());
  }
  const rows = [...tokens, ...others] as unknown as Row[];
  return mints.flatMap((mint) => rows.find((row) => row.mint === mint) ?? []);
}

/** How many tokens are read one by one at a time, so that a long watchlist doesn't use up the rate limit at once. */
const readAtOnce = 6;

/** A list of tokens that reads a page once it comes into view. */
function createTokenList(view: View, starred: readonly string[] | undefined) {
  const shared = { fields, chainId: chainId.peek() };
  const query = queryOf(view);
  const rows = new Map<number, Row>();
  const positions = new Map<string, number>();
  const reading = new Map<number, Promise<void>>();
  const total = signal<number | undefined>(undefined);
  const error = signal<unknown>(undefined);
  /** Incremented when rows change. The rows themselves are not signals: there may be 100,000. */
  const version = signal(0);

  const readPage = async (page: number): Promise<Page> => {
    if (starred !== undefined) {
      const tokens = await readRows(starred, shared);
      return { tokens, total: tokens.length };
    }
    return (await dataOf(
      api.GET("/api/tokens", { params: { query: { ...query, page } } }),
    )) as unknown as Page;
  };
  const put = (index: number, row: Row) => {
    rows.set(index, row);
    positions.set(row.mint, index);
  };
  const take = (page: number, { tokens, total: count }: Page) => {
    for (const [at, row] of tokens.entries()) put((page - 1) * pageSize + at, row);
    total.value = count;
    error.value = undefined;
    version.value++;
  };
  const read = (page: number): Promise<void> => {
    const going = reading.get(page);
    if (going !== undefined) return going;
    const next = readPage(page).then(
      (answer) => {
        take(page, answer);
        reading.delete(page);
      },
      (failure) => {
        error.value = failure;
        reading.delete(page);
      },
    );
    reading.set(page, next);
    return next;
  };
  const pagesOf = (first: number, last: number) => {
    // A watchlist is read at once.
    if (starred !== undefined) return [1];
    const from = Math.floor(first / pageSize);
    const to = Math.max(from + 1, Math.ceil(last / pageSize));
    return Array.from({ length: to - from }, (_, at) => from + at + 1);
  };

  return {
    total,
    error,
    version,
    row: (index: number) => rows.get(index),
    has: (mint: string) => positions.has(mint),
    /** Takes the first page from whoever has it already. */
    fill: (answer: Page) => take(1, answer),
    /** Reads the entries of this range that are missing. */
    async ensure(first: number, last: number): Promise<void> {
      await Promise.all(
        pagesOf(first, last)
          .filter((page) => !rows.has((page - 1) * pageSize))
          .map(read),
      );
    },
    /** Reads this range again and drops all other entries, since the order may have changed. */
    async reload(first: number, last: number): Promise<void> {
      const again = pagesOf(first, last);
      await Promise.all(again.map(read));
      if (error.value !== undefined) return;
      for (const index of rows.keys()) {
        if (starred === undefined && !again.includes(Math.floor(index / pageSize) + 1)) rows.delete(index);
      }
    },
    /** Reads up to 100 tokens again without moving them. Resolves to whether any of them is no longer listed. */
    async refresh(mints: string[], minBlock: number | undefined): Promise<boolean> {
      const mint = mints.filter((one) => positions.has(one)).slice(0, 100);
      if (mint.length === 0) return false;
      const tokens = await readRows(mint, shared, minBlock);
      for (const row of tokens) {
        const index = positions.get(row.mint);
        if (index !== undefined && rows.get(index)?.mint === row.mint) rows.set(index, row);
      }
      version.value++;
      return tokens.length < mint.length;
    },
  };
}
