import { earlyBuyer } from "ponder:schema";
import type { Address, EntityContext } from "./context.ts";

/** Buyers count as early in this many blocks, starting with the one in which the curve opened. */
const earlyBlocks = 3n;

/** Records an account's first buy of a token, if the curve has just opened. */
export async function recordIfEarly(
  { db, chain }: EntityContext,
  {
    token,
    account,
    openedBlock,
    block,
  }: { token: Address; account: Address; openedBlock: bigint | null; block: bigint },
): Promise<void> {
  if (openedBlock === null || block - openedBlock >= earlyBlocks) return;
  await db.insert(earlyBuyer).values({ chainId: chain.id, token, account, block });
}
