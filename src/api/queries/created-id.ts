import { type SQL, sql } from "drizzle-orm";

/**
 * The id of the event that created a token, as `eventId` of src/curve makes ids.
 *
 * @param token the alias of the token in the query
 */
export function createdId(token: string): SQL {
  return sql.raw(
    `(lpad(${token}.created_block::text, 12, '0') || '-' || lpad(${token}.created_log_index::text, 6, '0'))`,
  );
}
