import { token } from "ponder:schema";
import { addAmount } from "../curve/amounts.ts";
import { type Address, type EntityContext, type EventPosition, type Hex, launchpadOf } from "./context.ts";
import { stripNul } from "./text.ts";

type TokenRow = typeof token.$inferSelect;

const unknownTx = `0x${"0".repeat(64)}` as const;

export type CreatedToken = {
  address: Address;
  creator: Address;
  name: string;
  symbol: string;
  burnPercent: number;
  salt: Hex;
};

/**
 * Writes a token from its TokenCreated event. Returns false, and changes nothing, if there was such an event before.
 */
export async function createToken(
  context: EntityContext,
  created: CreatedToken,
  at: EventPosition,
): Promise<boolean> {
  const { address, ...announced } = created;
  const described = {
    ...announced,
    name: stripNul(created.name),
    symbol: stripNul(created.symbol),
    createdAt: at.block.timestamp,
    createdBlock: at.block.number,
    createdLogIndex: at.log.logIndex,
    createdTx: at.transaction.hash,
    changedAt: at.block.timestamp,
  };
  let isNew = true;
  await context.db
    .insert(token)
    .values({ ...unannounced(context, address), ...described })
    .onConflictDoUpdate((row) => {
      isNew = row.createdTx === unknownTx;
      return isNew ? described : {};
    });
  return isNew;
}

/** The token's creator; undefined before its TokenCreated event. */
export async function creatorOf(
  { db, chain }: EntityContext,
  address: Address,
): Promise<Address | undefined> {
  const row = await db.find(token, { chainId: chain.id, address });
  return row === null || row.createdTx === unknownTx ? undefined : row.creator;
}

/**
 * Changes supply (base units) and holder count, and returns the row. TokenCreated may still be to come: the token's
 * constructor mints before the factory emits it in the same block.
 */
export async function adjustToken(
  context: EntityContext,
  address: Address,
  change: { supply: bigint; holders: number },
  at: EventPosition,
): Promise<TokenRow> {
  const adjusted = (row: TokenRow) => ({
    totalSupply: addAmount(row.totalSupply, change.supply),
    holderCount: Math.max(0, row.holderCount + change.holders),
    changedAt: at.block.timestamp,
  });
  const blank = unannounced(context, address);
  return await context.db
    .insert(token)
    .values({ ...blank, ...adjusted(blank) })
    .onConflictDoUpdate(adjusted);
}

function unannounced(context: EntityContext, address: Address): TokenRow {
  return {
    chainId: context.chain.id,
    address,
    creator: "0x0000000000000000000000000000000000000000",
    name: "",
    symbol: "",
    burnPercent: 0,
    salt: unknownTx,
    totalSupply: 0n,
    launchpad: launchpadOf(context),
    holderCount: 0,
    createdAt: 0n,
    createdBlock: 0n,
    createdLogIndex: 0,
    createdTx: unknownTx,
    changedAt: 0n,
  };
}
