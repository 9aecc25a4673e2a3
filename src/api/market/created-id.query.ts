import { type SQL, sql } from "drizzle-orm";
import { sqlName } from "../database/sql-name.ts";

/**
 * The id of the event that created a token, in the format of `eventId` in src/curve.
 *
 * @param token the alias of the token in the query
 */
export function createdId(token: string): SQL {
  const [block, logIndex] = [sqlName(`${token}.created_block`), sqlName(`${token}.created_log_index`)];
  return sql`(lpad(${block}::text, 12, '0') || '-' || lpad(${logIndex}::text, 6, '0'))`;
}
