import { earlyBuyer, holder, pastBalance } from "ponder:schema";
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
  /** The token's curve; null if it has none yet. */
  curve: { openedBlock: bigint | null } | null;
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
  const { token, from, to, value, launchedRaw, transferredRaw, curve } = movement;
  // Most movements are trades, and every call that is awaited costs as much as a few rows in memory.
  const insiderHops = transferredRaw === 0n ? null : await hopsFromCreator(context, movement);
  const sent = from === zeroAddress ? null : await changeBalance(context, movement, from, -value, at);
  const received =
    to === zeroAddress ? null : await changeBalance(context, movement, to, value, at, insiderHops);
  const balances = [sent, received].filter((change) => change !== null);
  const supply = (from === zeroAddress ? value : 0n) - (to === zeroAddress ? value : 0n);
  if (balances.length === 0 && supply === 0n) return;

  const given = insiderHops === 1 && received !== null ? transferredRaw : 0n;
  const { creator } = await adjustToken(
    context,
    token,
    { hasCurve: curve !== null, supply, launched: launchedRaw, given, balances },
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
  { token, from, to }: Movement,
): Promise<number | null> {
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

/** Nothing moves, and the token has a curve. */
const noChange = { hasCurve: true, supply: 0n, launched: 0n, given: 0n };

function standingOf(row: HolderRow | null): Standing {
  if (row === null) return noStanding;
  return { isInsider: row.insiderHops !== null, earlyBlock: row.earlyBlock };
}

/** Changes a balance. Returns null for addresses that aren't accounts, since their tokens don't circulate. */
async function changeBalance(
  context: EntityContext,
  { token, curve }: Movement,
  account: Address,
  change: bigint,
  at: EventPosition,
  hops: number | null = null,
): Promise<BalanceChange | null> {
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
  const openedBlock = curve?.openedBlock;
  const mayBeEarly = row === null && kind === "account" && isEarly(openedBlock, at.block.number);
  const earlyBlock = mayBeEarly
    ? await findEarlyBlock(context, { token, account, openedBlock })
    : (row?.earlyBlock ?? null);
  if (row === null) {
    const changedAt = at.block.timestamp;
    const { id: chainId } = chain;
    await db
      .insert(holder)
      .values({ chainId, token, account, balanceRaw, kind, insiderHops, earlyBlock, changedAt });
  } else {
    await changeHolder(context, row, { balanceRaw, insiderHops }, at);
  }

  if (kind !== "account") return null;
  if (row === null) await ensureAccount(context, account, at);
  const was = standingOf(row);
  return { account, before, after: balanceRaw, was, is: { isInsider: insiderHops !== null, earlyBlock } };
}

type HolderRow = typeof holder.$inferSelect;

/** Changes a row, and keeps a balance that days have ended with. Most change within a day, or never again. */
function changeHolder(
  { db }: EntityContext,
  row: HolderRow,
  change: Partial<Omit<HolderRow, "changedAt">>,
  { block: { timestamp: changedAt } }: EventPosition,
): Promise<unknown> {
  const { chainId, token, account, balanceRaw } = row;
  const changed = db.update(holder, row).set({ changedAt, ...change });
  const [fromDay, untilDay] = [dayOf(row.changedAt), dayOf(changedAt)];
  if (fromDay >= untilDay || balanceRaw === 0n) return changed;
  const kept = db.insert(pastBalance).values({ chainId, token, account, untilDay, fromDay, balanceRaw });
  return Promise.all([changed, kept]);
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
  trader: Address;
  /** Base units. */
  tokenAmountRaw: bigint;
};

/** Records a buy on a curve that has just opened. Returns for how many blocks it has been open, or null for a buy of nothing. */
export async function recordEarlyBuy(
  { db, chain }: EntityContext,
  { token, trader: account, tokenAmountRaw }: Buy,
  openedBlock: bigint,
  { block: { number: block } }: EventPosition,
): Promise<number | null> {
  if (tokenAmountRaw === 0n) return null;
  await db
    .insert(earlyBuyer)
    .values({ chainId: chain.id, token, account, block, boughtRaw: tokenAmountRaw })
    .onConflictDoUpdate((row) => ({ boughtRaw: addAmount(row.boughtRaw, tokenAmountRaw) }));
  return Number(block - openedBlock);
}

/** Returns how many blocks after the curve's opening an account bought, if that was just now: its tokens arrive after the trade's event. */
async function findEarlyBlock(
  { db, chain }: EntityContext,
  { token, account, openedBlock }: { token: Address; account: Address; openedBlock: bigint },
): Promise<number | null> {
  const bought = await db.find(earlyBuyer, { chainId: chain.id, token, account });
  return bought === null ? null : Number(bought.block - openedBlock);
}

/** Whether a buy in this block is early, by the block in which the curve opened. */
export function isEarly(openedBlock: bigint | null | undefined, block: bigint): openedBlock is bigint {
  return typeof openedBlock === "bigint" && block - openedBlock < earlyBlocks;
}
