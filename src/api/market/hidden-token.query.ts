import { type SQL, sql } from "drizzle-orm";
import { hiddenToken } from "../chain/not-found.ts";
import { sqlName } from "../database/columns.ts";
import { type Database, type PooledDatabase, prepareRows, queryRows } from "../database/database.ts";

/** SQL: whether the operator has hidden a token, given its columns. */
export const isHidden = (chainId: SQL, mint: SQL): SQL =>
  sql`exists (select from offchain.hidden_token h where h.chain_id = ${chainId} and h.mint = ${mint})`;

/** SQL: {@link isHidden} for the rows of a page. `offset 0` makes Postgres look each one up, rather than read all hidden tokens. */
export const isRowHidden = (chainId: SQL, mint: SQL): SQL =>
  sql`exists (select from offchain.hidden_token h where h.chain_id = ${chainId} and h.mint = ${mint} offset 0)`;

const readHiding = prepareRows<{ reason: string }>(
  "hiding",
  () => sql`select reason from offchain.hidden_token
        where chain_id = ${sql.placeholder("chainId")}::int and mint = ${sql.placeholder("mint")}`,
);

/** Throws a problem (451) with the operator's reason if the token is hidden. */
export async function refuseHidden(db: PooledDatabase, chainId: number, mint: string): Promise<void> {
  const [row] = await readHiding(db, [chainId, mint]);
  if (row !== undefined) throw hiddenToken(mint, chainId, row.reason);
}

/** Joins a registration `r` with its token `t`. Compares more than the address, where a reorg may have put another token. */
export const isRegisteredToken = sql`t.chain_id = r.chain_id and t.address = r.mint and t.creator = r.creator
  and t.name = r.name and t.symbol = r.symbol and t.burn_percent = r.burn_percent`;

/**
 * The id of the event that created a token, in the format of `eventId` in src/domain.
 *
 * @param token the alias of the token in the query
 */
export function createdId(token: string): SQL {
  const [block, logIndex] = [sqlName(`${token}.created_block`), sqlName(`${token}.created_log_index`)];
  return sql`(lpad(${block}::text, 12, '0') || '-' || lpad(${logIndex}::text, 6, '0'))`;
}

/**
 * Reads why an image is hidden, which it is if only hidden tokens' registrations mention it. Returns undefined for any
 * other image.
 */
export async function readHiddenImageReason(db: Database, cid: string): Promise<string | undefined> {
  const [row] = await queryRows<{ reason: string }>(
    db,
    sql`select h.reason from offchain.hidden_registration r
        join offchain.hidden_token h on h.chain_id = r.chain_id and h.mint = r.mint
        where offchain.image_cids(r.image_url) @> array[${cid}::text] and not exists (
          select from offchain.registration where offchain.image_cids(image_url) @> array[${cid}::text])
        order by h.hidden_at limit 1`,
  );
  return row?.reason;
}
