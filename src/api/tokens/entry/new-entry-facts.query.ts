import { account, launchpad } from "ponder:schema";
import { sql } from "drizzle-orm";
import { columnList } from "../../database/columns.ts";
import { type Database, queryRows } from "../../database/database.ts";
import { type CreatorRecordRow, creatorRecordColumns } from "../../market/risk.query.ts";

/** What the index knows that concerns a token which is not indexed yet. */
export type NewEntryFactsRow = CreatorRecordRow & {
  /** USD for one BNB with 8 decimals, the price feed's last answer. */
  bnb_usd_x8: string | null;
};

export async function readNewEntryFacts(
  db: Database,
  chainId: number,
  creator: string,
): Promise<NewEntryFactsRow> {
  const [row] = await queryRows<NewEntryFactsRow>(
    db,
    sql`select ${columnList(creatorRecordColumns)}, l.bnb_usd_x8
        from (select ${chainId}::int as chain_id) chain
        left join ${launchpad} l on l.chain_id = chain.chain_id
        left join ${account} a on a.chain_id = chain.chain_id and a.address = ${creator}`,
  );
  return row ?? { tokens_created: 0, tokens_graduated: 0, tokens_sold_out: 0, bnb_usd_x8: null };
}
