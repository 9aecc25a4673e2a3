import { curve, earlyBuyer, holder, pastBalance } from "ponder:schema";
import { addAmount, burnAddresses, overdrafts } from "../domain/amounts.ts";
import { dayOf } from "../domain/intervals.ts";
import { ensureAccount, updateCreatorRecord } from "./account.ts";
import { type Address, type EntityContext, type EventPosition, launchpadAddress } from "./context.ts";
import { adjustToken, type BalanceChange, findCreator, type Standing } from "./token.ts";

const zeroAddress = "0x0000000000000000000000000000000000000000";

export type Movement = {
  token: Address;
  from: Address;
  to: Address;
  /** Base units, more than 0. */
  value: bigint;
  /** How much of it the token's creation mints to the launchpad, in base units; below 0 for what it burns of it. */
  launchedRaw: bigint;
  /** How much of it is a transfer: no part of a trade, a creation, a graduation or a change of liquidity. */
  transferredRaw: bigint;
};

/** The most transfers by which tokens of the creator make an account an insider. */
const maxInsiderHops = 3;

const noStanding: Standing = { isInsider: false, earlyBlock: null };

/**
 * Moves `value` base units, and updates holder count and supply. A transfer from the zero address is a mint, one to it
 * a burn.
 */
export async function moveBalance(
  context: EntityContext,
  movement: Movement,
  at: EventPosition,
): Promise<void> {
  const { token, from, to, value, launchedRaw } = movement;
  const insiderHops = await hopsFromCreator(context, movement);
  const sent = from === zeroAddress ? [] : await changeBalance(context, token, from, -value, at);
  const received = to === zeroAddress ? [] : await changeBalance(context, token, to, value, at, insiderHops);
  const balances = [...sent, ...received];
  const supply = (from === zeroAddress ? value : 0n) - (to === zeroAddress ? value : 0n);
  if (balances.length === 0 && supply === 0n) return;

  const given = insiderHops === 1 && received.length > 0 ? movement.transferredRaw : 0n;
  const { creator } = await adjustToken(
    context,
    token,
    { supply, launched: launchedRaw, given, balances },
    at,
  );
  let emptied = 0;
  for (const { account, before, after } of balances) {
    if (account === creator) emptied += Number(after === 0n) - Number(before === 0n);
  }
  if (emptied !== 0) await updateCreatorRecord(context, creator, { tokensSoldOut: emptied }, at);
}

/** Returns over how many transfers this one brings tokens of the creator; null if it does not, or over too many. */
async function hopsFromCreator(
  context: EntityContext,
  { token, from, to, transferredRaw }: Movement,
): Promise<number | null> {
  if (transferredRaw === 0n) return null;
  const creator = await findCreator(context, token);
  if (creator === undefined || to === creator) return null;
  if (from === creator) return 1;
  const sender = await context.db.find(holder, { chainId: context.chain.id, token, account: from });
  const hops = sender?.insiderHops ?? maxInsiderHops;
  return hops < maxInsiderHops ? hops + 1 : null;
}

/** Returns the indexed balance in base units. */
export async function balanceOf({ db, chain }: EntityContext, token: Address, account: Address) {
  const row = await db.find(holder, { chainId: chain.id, token, account });
  return row?.balanceRaw ?? 0n;
}

/** Returns an account's row; null if it never held any, or is not an account but, for example, a pair. */
export async function findAccountHolder({ db, chain }: EntityContext, token: Address, account: Address) {
  const row = await db.find(holder, { chainId: chain.id, token, account });
  return row?.kind === "account" ? row : null;
}

/** Marks an account as the token's DEX pair, which does not count as a holder. */
export async function markPair(
  context: EntityContext,
  token: Address,
  account: Address,
  at: EventPosition,
): Promise<void> {
  const key = { chainId: context.chain.id, token, account };
  const row = await context.db.find(holder, key);
  if (row === null) {
    const none = { balanceRaw: 0n, insiderHops: null, earlyBlock: null };
    const changedAt = at.block.timestamp;
    await context.db.insert(holder).values({ ...key, ...none, kind: "pair", changedAt });
    return;
  }
  if (row.kind !== "account") return;
  await changeHolder(context, row, { kind: "pair" }, at);
  const was = standingOf(row);
  if (row.balanceRaw === 0n && !was.isInsider) return;
  const balances = [{ account, before: row.balanceRaw, after: 0n, was, is: noStanding }];
  await adjustToken(context, token, { ...noChange, balances }, at);
}

/** Notes that an account, if it has held the token before, bought `earlyBlock` blocks after the curve's opening. Only its first buy counts. */
export async function markEarlyBuyer(
  context: EntityContext,
  { token, account, earlyBlock }: { token: Address; account: Address; earlyBlock: number },
  at: EventPosition,
): Promise<void> {
  const key = { chainId: context.chain.id, token, account };
  const row = await context.db.find(holder, key);
  if (row === null || row.earlyBlock !== null) return;
  await changeHolder(context, row, { earlyBlock }, at);
  if (row.kind !== "account") return;
  const was = standingOf(row);
  const balances = [
    { account, before: row.balanceRaw, after: row.balanceRaw, was, is: { ...was, earlyBlock } },
  ];
  await adjustToken(context, token, { ...noChange, balances }, at);
}

const noChange = { supply: 0n, launched: 0n, given: 0n };

function standingOf(row: HolderRow | null): Standing {
  if (row === null) return noStanding;
  return { isInsider: row.insiderHops !== null, earlyBlock: row.earlyBlock };
}

/** Changes a balance. Returns no change for addresses that aren't accounts, since their tokens don't circulate. */
async function changeBalance(
  context: EntityContext,
  token: Address,
  account: Address,
  change: bigint,
  at: EventPosition,
  hops: number | null = null,
): Promise<BalanceChange[]> {
  const { db, chain } = context;
  const key = { chainId: chain.id, token, account };
  const row = await db.find(holder, key);
  const before = row?.balanceRaw;
  const balanceRaw = addAmount(before ?? 0n, change);
  if ((before ?? 0n) + change < 0n) {
    overdrafts.publish({ ...key, balanceRaw: before ?? 0n, sentRaw: -change });
  }
  const kind = row?.kind ?? holderKind(context, account);
  const insiderHops = kind === "account" ? fewest(row?.insiderHops ?? null, hops) : null;
  const isNewAccount = row === null && kind === "account";
  const earlyBlock = isNewAccount
    ? await findEarlyBlock(context, { token, account }, at)
    : (row?.earlyBlock ?? null);
  if (row === null) {
    const changedAt = at.block.timestamp;
    await db.insert(holder).values({ ...key, balanceRaw, kind, insiderHops, earlyBlock, changedAt });
  } else {
    await changeHolder(context, row, { balanceRaw, insiderHops }, at);
  }

  if (kind !== "account") return [];
  if (row === null) await ensureAccount(context, account, at);
  const was = standingOf(row);
  return [{ account, before, after: balanceRaw, was, is: { isInsider: insiderHops !== null, earlyBlock } }];
}

type HolderRow = typeof holder.$inferSelect;

/** Changes a row, and keeps a balance that days have ended with. Most change within a day, or never again. */
async function changeHolder(
  { db }: EntityContext,
  { chainId, token, account, balanceRaw, changedAt: since }: HolderRow,
  change: Partial<HolderRow>,
  { block: { timestamp: changedAt } }: EventPosition,
): Promise<void> {
  const [fromDay, untilDay] = [dayOf(since), dayOf(changedAt)];
  if (fromDay < untilDay && balanceRaw !== 0n)
    await db.insert(pastBalance).values({ chainId, token, account, untilDay, fromDay, balanceRaw });
  await db.update(holder, { chainId, token, account }).set({ ...change, changedAt });
}

function fewest(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

function holderKind(context: EntityContext, account: Address): "account" | "launchpad" | "burn" {
  if (account === launchpadAddress(context)) return "launchpad";
  return burnAddresses.has(account) ? "burn" : "account";
}

/** Buyers count as early in this many blocks, starting with the one in which the curve opened. */
const earlyBlocks = 3n;

type Buy = {
  token: Address;
  account: Address;
  /** Base units. */
  tokenAmountRaw: bigint;
  openedBlock: bigint | null;
};

/** Records a buy if the curve has just opened. Returns for how many blocks it has been open, or null if the buy isn't early. */
export async function recordIfEarly(
  { db, chain }: EntityContext,
  { token, account, tokenAmountRaw, openedBlock }: Buy,
  { block: { number: block } }: EventPosition,
): Promise<number | null> {
  if (openedBlock === null || block - openedBlock >= earlyBlocks || tokenAmountRaw === 0n) return null;
  await db
    .insert(earlyBuyer)
    .values({ chainId: chain.id, token, account, block, boughtRaw: tokenAmountRaw })
    .onConflictDoUpdate((row) => ({ boughtRaw: addAmount(row.boughtRaw, tokenAmountRaw) }));
  return Number(block - openedBlock);
}

/** Returns how many blocks after the curve's opening an account bought, if that was just now: its tokens arrive after the trade's event. */
async function findEarlyBlock(
  { db, chain }: EntityContext,
  { token, account }: { token: Address; account: Address },
  { block }: EventPosition,
): Promise<number | null> {
  const opened = await db.find(curve, { chainId: chain.id, token });
  if (!isEarly(opened, block.number)) return null;
  const bought = await db.find(earlyBuyer, { chainId: chain.id, token, account });
  return bought === null ? null : Number(bought.block - opened.openedBlock);
}

/** Whether a buy in this block would be early. */
export function isEarly<Curve extends { openedBlock: bigint | null }>(
  curve: Curve | null | undefined,
  block: bigint,
): curve is Curve & { openedBlock: bigint } {
  return typeof curve?.openedBlock === "bigint" && block - curve.openedBlock < earlyBlocks;
}
