import { type SQL, sql } from "drizzle-orm";
import { hiddenToken } from "../chain/hidden-token.ts";
import { type PooledDatabase, prepareRows } from "../database/database.ts";

/** Whether the operator has hidden a token, given by its columns in SQL. */
export const isHidden = (chainId: SQL, mint: SQL): SQL =>
  sql`exists (select from offchain.hidden_token h where h.chain_id = ${chainId} and h.mint = ${mint})`;

/** The same for rows of a page: looked up for each of them, where Postgres may read all hidden tokens at once otherwise. */
export const isRowHidden = (chainId: SQL, mint: SQL): SQL =>
  sql`exists (select from offchain.hidden_token h where h.chain_id = ${chainId} and h.mint = ${mint} offset 0)`;

const hiding = prepareRows<{ reason: string }>(
  "hiding",
  () => sql`select reason from offchain.hidden_token
        where chain_id = ${sql.placeholder("chainId")}::int and mint = ${sql.placeholder("mint")}`,
);

/** Throws a problem (451) with the operator's reason if the token is hidden. */
export async function refuseHidden(db: PooledDatabase, chainId: number, mint: string): Promise<void> {
  const [row] = await hiding(db, [chainId, mint]);
  if (row !== undefined) throw hiddenToken(mint, chainId, row.reason);
}
