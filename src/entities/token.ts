import { token, tokenSymbol } from "ponder:schema";
import { addAmount, subtractAmount } from "../domain/amounts.ts";
import { symbolHash } from "../domain/ids.ts";
import { lookHash } from "../domain/look-alike.ts";
import {
  type Address,
  type EntityContext,
  type EventPosition,
  type Hex,
  launchpadAddress,
} from "./context.ts";

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
  /** The creator's `holder.earlyBlock`. */
  creatorEarlyBlock: number | null;
};

/** Stores a token from its TokenCreated event. Returns false and changes nothing if there was such an event before. */
export async function createToken(
  context: EntityContext,
  created: CreatedToken,
  at: EventPosition,
): Promise<boolean> {
  const { address, creatorEarlyBlock, ...announced } = created;
  const described = {
    ...announced,
    name: stripNul(created.name),
    symbol: stripNul(created.symbol),
    symbolLookHash: lookHash(created.symbol),
    nameLookHash: lookHash(created.name),
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
      if (!isNew) return {};
      // Until now, nobody knew that it was the creator that bought early.
      const held = created.creatorBalanceRaw ?? 0n;
      const early = earlyGroups({ isInsider: false, earlyBlock: creatorEarlyBlock }, held);
      return {
        ...described,
        sniperBalanceRaw: subtractAmount(row.sniperBalanceRaw, early.sniper),
        bundlerBalanceRaw: subtractAmount(row.bundlerBalanceRaw, early.bundler),
      };
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

/** What an account is in the trade of a token. */
export type Standing = { isInsider: boolean; earlyBlock: number | null };

/** An account's balance before and after a change, in base units. `before` is undefined for a first balance. */
export type BalanceChange = {
  account: Address;
  before: bigint | undefined;
  after: bigint;
  was: Standing;
  is: Standing;
};

/** What a movement changes, in base units. */
export type TokenChange = {
  hasCurve: boolean;
  supply: bigint;
  /** How much of the supply the token's creation made. */
  launched: bigint;
  /** What the creator transferred to an account. */
  given: bigint;
  balances: BalanceChange[];
};

/**
 * Applies changes, and returns the row. TokenCreated may come later: the token's constructor mints before the factory emits it in
 * the same block.
 */
export async function adjustToken(
  context: EntityContext,
  address: Address,
  { hasCurve, supply, launched, given, balances }: TokenChange,
  at: EventPosition,
): Promise<TokenRow> {
  const adjusted = (row: TokenRow) => {
    const circulation = circulationAfter(row, balances);
    // It is left alone for the most frequent changes, which touchCurve records in the curve anyway: the list of tokens reads those who
    // have changed, and their creators, anew.
    const setsChangedAt =
      !hasCurve ||
      supply !== 0n ||
      circulation.holderCount !== row.holderCount ||
      circulation.creatorBalanceRaw !== row.creatorBalanceRaw ||
      circulation.insiderBalanceRaw !== row.insiderBalanceRaw ||
      circulation.sniperBalanceRaw !== row.sniperBalanceRaw ||
      balances.length === 2;
    return {
      totalSupplyRaw: addAmount(row.totalSupplyRaw, supply),
      launchSupplyRaw: addAmount(row.launchSupplyRaw, launched),
      ...circulation,
      insiderReceivedRaw: addAmount(row.insiderReceivedRaw, given),
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
  let { insiders, insiderBalanceRaw, sniperBalanceRaw, bundlerBalanceRaw } = row;
  for (const { account, before = 0n, after, was, is } of balances) {
    holderCount = Math.max(0, holderCount + Number(after > 0n) - Number(before > 0n));
    circulatingRaw = addAmount(circulatingRaw, after - before);
    balanceSquaresRaw = addAmount(balanceSquaresRaw, after * after - before * before);
    if (is.isInsider || was.isInsider) {
      insiders += Number(is.isInsider) - Number(was.isInsider);
      insiderBalanceRaw = addAmount(
        insiderBalanceRaw,
        (is.isInsider ? after : 0n) - (was.isInsider ? before : 0n),
      );
    }
    if (account === row.creator) {
      creatorBalanceRaw = after;
      continue;
    }
    if (is.earlyBlock === null && was.earlyBlock === null) continue;
    const [held, holds] = [earlyGroups(was, before), earlyGroups(is, after)];
    sniperBalanceRaw = addAmount(sniperBalanceRaw, holds.sniper - held.sniper);
    bundlerBalanceRaw = addAmount(bundlerBalanceRaw, holds.bundler - held.bundler);
  }
  return {
    holderCount,
    circulatingRaw,
    balanceSquaresRaw,
    creatorBalanceRaw,
    insiders,
    insiderBalanceRaw,
    sniperBalanceRaw,
    bundlerBalanceRaw,
  };
}

/** Returns how much of an account's balance counts as held by snipers and bundlers, in base units. */
function earlyGroups({ earlyBlock }: Standing, balance: bigint): Record<"sniper" | "bundler", bigint> {
  return { sniper: earlyBlock === null ? 0n : balance, bundler: earlyBlock === 0 ? balance : 0n };
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
    insiders: 0,
    insiderBalanceRaw: 0n,
    insiderReceivedRaw: 0n,
    sniperBalanceRaw: 0n,
    bundlerBalanceRaw: 0n,
    createdAt: 0n,
    createdBlock: 0n,
    createdLogIndex: 0,
    createdTx: unknownTx,
    changedAt: 0n,
    symbolLookHash: null,
    nameLookHash: null,
  };
}

/** Removes NUL characters, which Postgres cannot store, from a string that was read from the chain. */
export function stripNul(text: string): string {
  return text.replaceAll("\0", "");
}

/** Counts a new token by its symbol. */
export async function countSymbol({ db, chain }: EntityContext, symbol: string): Promise<void> {
  await db
    .insert(tokenSymbol)
    .values({ chainId: chain.id, symbolHash: symbolHash(stripNul(symbol)), tokens: 1 })
    .onConflictDoUpdate(({ tokens }) => ({ tokens: tokens + 1 }));
}
