import { account } from "ponder:schema";
import type { Address, EntityContext, EventPosition } from "./context.ts";

/** Makes sure that the account has a row. */
export async function ensureAccount(
  { db, chain }: EntityContext,
  address: Address,
  at: EventPosition,
): Promise<void> {
  await db
    .insert(account)
    .values({ chainId: chain.id, address, firstSeenAt: at.block.timestamp })
    .onConflictDoNothing();
}
