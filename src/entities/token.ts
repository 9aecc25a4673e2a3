import { token } from "ponder:schema";
import { addAmount } from "../curve/amounts.ts";
import {
  type Address,
  type EntityContext,
  type EventPosition,
  type Hex,
  launchpadAddress,
} from "./context.ts";
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
  /** In base units; null if the creator has never held any. */
  creatorBalanceRaw: bigint | null;
};

/** Stores a token from its TokenCreated event. Returns false and changes nothing if there was such an event before. */
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
    .values({ ...newToken(context, address), ...described })
    .onConflictDoUpdate((row) => {
      isNew = row.createdTx === unknownTx;
      return isNew ? described : {};
    });
  return isNew;
}

/** Returns the token's creator, or undefined before its TokenCreated event. */
export async function findCreator(
  { db, chain }: EntityContext,
  address: Address,
): Promise<Address | undefined> {
  const row = await db.find(token, { chainId: chain.id, address });
  return row === null || row.createdTx === unknownTx ? undefined : row.creator;
}

/** An account's balance before and after a transfer, in base units. `before` is undefined for a first balance. */
export type BalanceChange = { account: Address; before: bigint | undefined; after: bigint };

/**
 * Changes the supply by `supply` base units, of which the token's creation made `launched`, applies balance changes, and returns the row. TokenCreated may come later: the
 * token's constructor mints before the factory emits it in the same block.
 */
export async function adjustToken(
  context: EntityContext,
  address: Address,
  { supply, launched, balances }: { supply: bigint; launched: bigint; balances: BalanceChange[] },
  at: EventPosition,
): Promise<TokenRow> {
  const adjusted = (row: TokenRow) => {
    const circulation = circulationAfter(row, balances);
    // changedAt is indexed: updating it adds an entry to every index of the table. So it is left alone for the most frequent
    // changes, which touchCurve records in the curve anyway.
    const setsChangedAt =
      supply !== 0n ||
      circulation.holderCount !== row.holderCount ||
      circulation.creatorBalanceRaw !== row.creatorBalanceRaw ||
      balances.length === 2;
    return {
      totalSupplyRaw: addAmount(row.totalSupplyRaw, supply),
      launchSupplyRaw: addAmount(row.launchSupplyRaw, launched),
      ...circulation,
      changedAt: setsChangedAt ? at.block.timestamp : row.changedAt,
    };
  };
  const { db, chain } = context;
  const key = { chainId: chain.id, address };
  const row = await db.find(token, key);
  if (row !== null) return await db.update(token, key).set(adjusted(row));

  const blank = newToken(context, address);
  return await db.insert(token).values({ ...blank, ...adjusted(blank) });
}

function circulationAfter(row: TokenRow, balances: BalanceChange[]) {
  let { holderCount, circulatingRaw, balanceSquaresRaw, creatorBalanceRaw } = row;
  for (const { account, before = 0n, after } of balances) {
    holderCount = Math.max(0, holderCount + Number(after > 0n) - Number(before > 0n));
    circulatingRaw = addAmount(circulatingRaw, after - before);
    balanceSquaresRaw = addAmount(balanceSquaresRaw, after * after - before * before);
    if (account === row.creator) creatorBalanceRaw = after;
  }
  return { holderCount, circulatingRaw, balanceSquaresRaw, creatorBalanceRaw };
}

function newToken(context: EntityContext, address: Address): TokenRow {
  return {
    chainId: context.chain.id,
    address,
    creator: "0x0000000000000000000000000000000000000000",
    name: "",
    symbol: "",
    burnPercent: 0,
    salt: unknownTx,
    totalSupplyRaw: 0n,
    launchSupplyRaw: 0n,
    launchpad: launchpadAddress(context),
    holderCount: 0,
    circulatingRaw: 0n,
    balanceSquaresRaw: 0n,
    creatorBalanceRaw: null,
    createdAt: 0n,
    createdBlock: 0n,
    createdLogIndex: 0,
    createdTx: unknownTx,
    changedAt: 0n,
  };
}
