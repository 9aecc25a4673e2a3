import { holder, token } from "ponder:schema";
import { sql } from "drizzle-orm";
import { type Database, rows } from "../lib/database.ts";

export type TokenSupplyRow = { creator: string; holder_count: number; total_supply: string };

export async function readTokenSupply(
  db: Database,
  chainId: number,
  mint: string,
): Promise<TokenSupplyRow | undefined> {
  const [row] = await rows<TokenSupplyRow>(
    db,
    sql`select creator, holder_count, total_supply from ${token}
        where chain_id = ${chainId} and address = ${mint}`,
  );
  return row;
}

export type HolderRow = {
  account: string;
  balance: string;
  kind: "account" | "launchpad" | "pair" | "burn";
};

/** Everyone with a balance, the largest first, contracts and burn addresses among them. */
export async function readHolders(
  db: Database,
  { chainId, mint, offset, limit }: { chainId: number; mint: string; offset: number; limit: number },
): Promise<HolderRow[]> {
  return await rows<HolderRow>(
    db,
    sql`select account, balance, kind from ${holder}
        where chain_id = ${chainId} and token = ${mint} and balance > 0
        order by balance desc, account desc limit ${limit} offset ${offset}`,
  );
}
