import { type SQL, sql } from "drizzle-orm";
import type { KeysetPosition } from "../http/cursor.ts";

/** Where a page of a ranked list begins: after this position, or at this offset without one. */
export type PageStart = { after?: KeysetPosition | undefined; offset: number };

/** A list in descending order of two columns, of which `first` has the type `type`. */
type RankedList = { from: SQL; where: SQL; first: SQL; second: SQL; type: SQL; maxRank: number };

/** SQL for a page of a ranked list. `ahead` is how many rows come before the page, counted up to `maxRank`. */
export function rankedPage(
  { after, offset }: PageStart,
  { from, where, first, second, type, maxRank }: RankedList,
): { isAfter: SQL; ahead: SQL<number>; offset: number } {
  if (after === undefined) return { isAfter: sql`true`, ahead: sql<number>`${offset}::int`, offset };
  const position = sql`(${after.first}::${type}, ${after.second})`;
  return {
    isAfter: sql`(${first}, ${second}) < ${position}`,
    ahead: sql<number>`(select count(*)::int from (
      select from ${from} where ${where} and (${first}, ${second}) >= ${position} limit ${maxRank}) ahead)`,
    offset: 0,
  };
}
