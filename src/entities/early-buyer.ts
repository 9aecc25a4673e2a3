import { earlyBuyer } from "ponder:schema";
import type { Address, EntityContext } from "./context.ts";

/** Blocks from the opening of a curve on, its own among them, in which a buyer counts as early. */
const earlyBlocks = 3n;

/** Remembers an account that buys the token for the first time, if the curve has just opened. */
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
