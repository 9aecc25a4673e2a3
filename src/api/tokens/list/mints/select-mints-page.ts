import type { Database } from "../../../database/database.ts";
import { boardOf } from "../order/boards.ts";
import { type Listing, type ListQuery, toFilters } from "../order/listing.ts";
import { readListedMints } from "./listed-mints.query.ts";

export type MintsQuery = Omit<ListQuery, "mint" | "order"> & { mints: string[] };

/** Selects a page of the registrations of these mints, in the given order. */
export async function selectMintsPage(
  { db, listing }: { db: Database; listing: Listing },
  { mints, chainId, board, query, creator, conditions = {}, page, limit }: MintsQuery,
): Promise<{ ids: number[]; total: number }> {
  const listed = await readListedMints(db, chainId, mints, toFilters({ chainId, query, creator }));
  const onBoard = listed.filter((token) => board === "all" || boardOf(token) === board);
  const idByMint = new Map(onBoard.map(({ mint, id }) => [mint, id]));
  const found = mints.flatMap((mint) => idByMint.get(mint) ?? []);
  const ids = await listing.filterByConditions(found, conditions);
  return { ids: ids.slice((page - 1) * limit, page * limit), total: ids.length };
}
