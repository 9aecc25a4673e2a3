import { account } from "ponder:schema";
import type { Address, EntityContext, EventPosition } from "./context.ts";

/** Creates the account's row if there is none. */
export async function ensureAccount(
  context: EntityContext,
  address: Address,
  at: EventPosition,
): Promise<void> {
  await context.db
    .insert(account)
    .values(newAccount(context, address, at))
    .onConflictDoNothing();
}

/** What an account has done as a creator. */
export type CreatorRecord = { tokensCreated: number; tokensGraduated: number; tokensSoldOut: number };

/** Adds to the account's record as a creator. */
export async function addToRecord(
  context: EntityContext,
  address: Address,
  change: Partial<CreatorRecord>,
  at: EventPosition,
): Promise<void> {
  const add = (record: CreatorRecord): CreatorRecord => ({
    tokensCreated: record.tokensCreated + (change.tokensCreated ?? 0),
    tokensGraduated: record.tokensGraduated + (change.tokensGraduated ?? 0),
    tokensSoldOut: Math.max(0, record.tokensSoldOut + (change.tokensSoldOut ?? 0)),
  });
  const blank = newAccount(context, address, at);
  await context.db
    .insert(account)
    .values({ ...blank, ...add(blank) })
    .onConflictDoUpdate(add);
}

function newAccount({ chain }: EntityContext, address: Address, at: EventPosition) {
  return {
    chainId: chain.id,
    address,
    firstSeenAt: at.block.timestamp,
    tokensCreated: 0,
    tokensGraduated: 0,
    tokensSoldOut: 0,
  };
}
