import type { Database } from "../../../database/database.ts";
import { boardOf } from "../order/boards.ts";
import { type Listing, type ListPage, type ListQuery, toFilters } from "../order/listing.ts";
import { readListedMints } from "./listed-mints.query.ts";

export type MintsQuery = Omit<ListQuery, "mint" | "order"> & { mints: string[] };

/** Selects a page of the registrations of these mints, in the given order. Their positions begin with their index among the mints. */
export async function selectMintsPage(
  { db, listing }: { db: Database; listing: Listing },
  { mints, chainId, board, query, creator, conditions = {}, page, after, limit }: MintsQuery,
): Promise<ListPage> {
  const listed = await readListedMints(db, chainId, mints, toFilters({ chainId, query, creator }));
  const onBoard = listed.filter((token) => board === "all" || boardOf(token) === board);
  const indexById = new Map(onBoard.map(({ mint, id }) => [id, mints.indexOf(mint)]));
  const indexOf = (id: number) => indexById.get(id) ?? 0;
  const found = [...indexById.keys()].sort((left, right) => indexOf(left) - indexOf(right));
  const ids = await listing.filterByConditions(found, conditions);
  const start = after === undefined ? (page - 1) * limit : ids.filter((id) => indexOf(id) <= after[0]).length;
  const onPage = ids.slice(start, start + limit);
  const last = onPage.at(-1);
  return {
    ids: onPage,
    total: ids.length,
    page: after === undefined ? page : 1 + Math.floor(start / limit),
    next: last === undefined || start + limit >= ids.length ? undefined : [indexOf(last), 0, 0, 0],
  };
}
