import { token } from "ponder:schema";
import { addAmount } from "../curve/amounts.ts";
import { type Address, type EntityContext, type EventPosition, type Hex, launchpadOf } from "./context.ts";
import { storableText } from "./text.ts";

const unknownTx = `0x${"0".repeat(64)}` as const;

export type CreatedToken = {
  address: Address;
  creator: Address;
  name: string;
  symbol: string;
  burnPercent: number;
  salt: Hex;
};

/** Writes a token that the factory announced. A token is created once: a second announcement changes nothing. */
export async function createToken(
  context: EntityContext,
  created: CreatedToken,
  at: EventPosition,
): Promise<void> {
  const { address, ...announced } = created;
  const described = {
    ...announced,
    name: storableText(created.name),
    symbol: storableText(created.symbol),
    createdAt: at.block.timestamp,
    createdBlock: at.block.number,
    createdLogIndex: at.log.logIndex,
    createdTx: at.transaction.hash,
  };
  await context.db
    .insert(token)
    .values({ ...unannounced(context, address), ...described })
    .onConflictDoUpdate((row) => (row.createdTx === unknownTx ? described : {}));
}

/**
 * Changes supply (base units) and holder count. The token may not be announced yet: its constructor mints
 * before the factory can emit TokenCreated, which then follows in the same block.
 */
export async function adjustToken(
  context: EntityContext,
  address: Address,
  change: { supply: bigint; holders: number },
): Promise<void> {
  const blank = unannounced(context, address);
  await context.db
    .insert(token)
    .values({ ...blank, totalSupply: addAmount(0n, change.supply), holderCount: Math.max(0, change.holders) })
    .onConflictDoUpdate((row) => ({
      totalSupply: addAmount(row.totalSupply, change.supply),
      holderCount: Math.max(0, row.holderCount + change.holders),
    }));
}

function unannounced(context: EntityContext, address: Address) {
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
  } as const;
}
