import { earlyBuyer, holder, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { type RiskRow, riskColumns } from "../market/risk.query.ts";

export type TokenSupplyRow = RiskRow & { creator: string; holder_count: number; total_supply: string };

export async function readTokenSupply(
  db: Database,
  chainId: number,
  mint: string,
): Promise<TokenSupplyRow | undefined> {
  const [row] = await queryRows<TokenSupplyRow>(
    db,
    sql`select t.creator, t.holder_count, t.total_supply, ${riskColumns} from ${token} t
        where t.chain_id = ${chainId} and t.address = ${mint}`,
  );
  return row;
}

export type HolderRow = {
  account: string;
  balance: string;
  kind: "account" | "launchpad" | "pair" | "burn";
  is_early_buyer: boolean;
};

/** Everyone with a balance, the largest first, contracts and burn addresses among them. */
export async function readHolders(
  db: Database,
  { chainId, mint, offset, limit }: { chainId: number; mint: string; offset: number; limit: number },
): Promise<HolderRow[]> {
  return await queryRows<HolderRow>(
    db,
    // Early buyers are looked up for the page alone, not for all before it.
    sql`select account, balance, kind, exists (
          select from ${earlyBuyer} e
          where e.chain_id = ${chainId} and e.token = ${mint} and e.account = page.account) as is_early_buyer
        from (
          select account, balance, kind from ${holder}
          where chain_id = ${chainId} and token = ${mint} and balance > 0
          order by balance desc, account desc limit ${limit} offset ${offset}) page`,
  );
}
