import { position } from "ponder:schema";
import { addAmount, burnAddresses, clamp, clampSigned } from "../domain/amounts.ts";
import { toUsd } from "../domain/price.ts";
import { addTokens, applySell, removeTokens } from "../domain/result.ts";
import { type Address, type EntityContext, type EventPosition, launchpadAddress } from "./context.ts";
import { findBnbUsd } from "./launchpad.ts";

type PositionRow = typeof position.$inferSelect;

type PositionTrade = {
  token: Address;
  trader: Address;
  side: "buy" | "sell";
  /** Wei. */
  bnbAmountWei: bigint;
  /** Base units. */
  tokenAmountRaw: bigint;
  /** Base units that moved between market and account, where that isn't tokenAmountRaw. */
  tokensMovedRaw: bigint | null;
};

type TradeTime = {
  /** USD for one BNB with 8 decimals; null without a rate. */
  bnbUsdX8: bigint | null;
  /** Seconds. */
  timestamp: bigint;
};

/**
 * What a sell realised, in wei and in USD with 18 decimals. Null for a buy; null in USD if the position has no result
 * in USD.
 */
export type Realised = { realisedWei: bigint | null; realisedUsdX18: bigint | null };

/** Applies a trade to the trader's position in the token. Returns what the trade realised, and by how many wei it changed the net volume. */
export async function recordInPosition(
  context: EntityContext,
  trade: PositionTrade,
  time: TradeTime,
): Promise<{ realised: Realised; netChangeWei: bigint }> {
  const found = await findOrNew(context, trade.token, trade.trader);
  const before = found.row;
  const after = await write(context, found, applyTrade(before, trade, time));
  const netChangeWei = netVolume(after) - netVolume(before);
  return { realised: trade.side === "sell" ? realisedBetween(before, after) : noRealised, netChangeWei };
}

/** Returns what the account's buys cost in wei without what its sells brought, or the other way round. */
function netVolume({ bnbSpentWei, bnbReceivedWei }: Pick<PositionRow, "bnbSpentWei" | "bnbReceivedWei">) {
  return bnbSpentWei > bnbReceivedWei ? bnbSpentWei - bnbReceivedWei : bnbReceivedWei - bnbSpentWei;
}

/** Returns the wei that the account has paid for buys of the token. */
export async function findBnbSpent(
  { db, chain }: EntityContext,
  token: Address,
  account: Address,
): Promise<bigint> {
  return (await db.find(position, { chainId: chain.id, token, account }))?.bnbSpentWei ?? 0n;
}

function newPosition({
  chainId,
  token,
  account,
}: Pick<PositionRow, "chainId" | "token" | "account">): PositionRow {
  return {
    chainId,
    token,
    account,
    buys: 0,
    sells: 0,
    tokensBoughtRaw: 0n,
    tokensSoldRaw: 0n,
    bnbSpentWei: 0n,
    bnbReceivedWei: 0n,
    receivedRaw: 0n,
    receivedCostWei: 0n,
    sentRaw: 0n,
    sentCostWei: 0n,
    openTokensRaw: 0n,
    openCostWei: 0n,
    realisedWei: 0n,
    spentUsdX18: 0n,
    receivedUsdX18: 0n,
    openCostUsdX18: 0n,
    realisedUsdX18: 0n,
    firstTradeAt: null,
    lastTradeAt: null,
    changedAt: 0n,
  };
}

export type CostMove = {
  token: Address;
  from: Address;
  to: Address;
  /** Base units. */
  amountRaw: bigint;
  /** The token's pair, once it has graduated. */
  pair: Address | null | undefined;
};

type TokenMarkets = { launchpad: Address | undefined; pair: Address | null | undefined };

/** Whether an address can have a position in a token: its markets and burn addresses have none. */
export const hasPosition = (address: Address, { launchpad, pair }: TokenMarkets) =>
  address !== launchpad && address !== pair && !burnAddresses.has(address);

/**
 * Moves tokens that are transferred, or added to liquidity or removed from it, from the sender's position to the receiver's, with
 * what they cost. The mint, burn addresses and markets have no position: what comes from them costs nothing.
 */
export async function moveCost(
  context: EntityContext,
  moved: CostMove,
  { block }: EventPosition,
): Promise<void> {
  const { token, from, to, pair } = moved;
  const amountRaw = clamp(moved.amountRaw);
  if (amountRaw === 0n || from === to) return;
  const launchpad = launchpadAddress(context);
  const markets = { launchpad, pair };
  const part = { token, amountRaw, changedAt: block.timestamp };
  const cost = hasPosition(from, markets) ? await sendFrom(context, from, part) : freeOfCost;
  if (hasPosition(to, markets)) await receiveAt(context, to, part, cost);
}

/** Moves the cost of several transfers of a token, in their order. Amounts are in base units. */
export async function moveCosts(
  context: EntityContext,
  { token, pair }: Pick<CostMove, "token" | "pair">,
  transfers: readonly { from: Address; to: Address; amount: bigint }[],
  at: EventPosition,
): Promise<void> {
  for (const { from, to, amount: amountRaw } of transfers) {
    await moveCost(context, { token, from, to, amountRaw, pair }, at);
  }
}

/** In wei, and in USD with 18 decimals; null if that is unknown. */
type Cost = { wei: bigint; usdX18: bigint | null };

const freeOfCost: Cost = { wei: 0n, usdX18: 0n };

/** Base units of a token that move, and when, in seconds. */
type MovedPart = { token: Address; amountRaw: bigint; changedAt: bigint };

async function sendFrom(
  context: EntityContext,
  account: Address,
  { token, amountRaw, changedAt }: MovedPart,
): Promise<Cost> {
  const found = await findOrNew(context, token, account);
  const { row } = found;
  const { openTokensRaw, openCostUsdX18 } = row;
  const sent = removeTokens({ openTokensRaw, openCost: row.openCostWei, realised: 0n }, amountRaw);
  const sentInUsd =
    openCostUsdX18 === null
      ? null
      : removeTokens({ openTokensRaw, openCost: openCostUsdX18, realised: 0n }, amountRaw);
  await write(context, found, {
    sentRaw: addAmount(row.sentRaw, amountRaw),
    sentCostWei: addAmount(row.sentCostWei, sent.cost),
    openTokensRaw: sent.after.openTokensRaw,
    openCostWei: sent.after.openCost,
    openCostUsdX18: sentInUsd?.after.openCost ?? null,
    changedAt,
  });
  // Where the sender's cost in USD is unknown, today's rate counts, so that nobody can take away another's results in USD.
  return { wei: sent.cost, usdX18: sentInUsd?.cost ?? toUsd(sent.cost, await findBnbUsd(context)) };
}

async function receiveAt(
  context: EntityContext,
  account: Address,
  { token, amountRaw, changedAt }: MovedPart,
  { wei, usdX18 }: Cost,
): Promise<void> {
  const found = await findOrNew(context, token, account);
  const { row } = found;
  const isKnown = row.openCostUsdX18 !== null && (usdX18 !== null || wei === 0n);
  await write(context, found, {
    receivedRaw: addAmount(row.receivedRaw, amountRaw),
    receivedCostWei: addAmount(row.receivedCostWei, wei),
    openTokensRaw: clampSigned(row.openTokensRaw + amountRaw),
    openCostWei: addAmount(row.openCostWei, wei),
    ...(isKnown ? { openCostUsdX18: addAmount(row.openCostUsdX18 ?? 0n, usdX18 ?? 0n) } : unknownUsd),
    changedAt,
  });
}

type FoundRow = { row: PositionRow; isNew: boolean };

async function findOrNew({ db, chain }: EntityContext, token: Address, account: Address): Promise<FoundRow> {
  const key = { chainId: chain.id, token, account };
  const row = await db.find(position, key);
  return row === null ? { row: newPosition(key), isNew: true } : { row, isNew: false };
}

async function write(
  { db }: EntityContext,
  { isNew, row }: FoundRow,
  change: Partial<PositionRow>,
): Promise<PositionRow> {
  return isNew
    ? await db.insert(position).values({ ...row, ...change })
    : await db.update(position, row).set(change);
}

const noRealised: Realised = { realisedWei: null, realisedUsdX18: null };

type Results = Pick<PositionRow, "realisedWei" | "realisedUsdX18">;

function realisedBetween(before: Results, after: Results): Realised {
  const [usdBefore, usdAfter] = [before.realisedUsdX18, after.realisedUsdX18];
  return {
    realisedWei: after.realisedWei - before.realisedWei,
    realisedUsdX18: usdBefore === null || usdAfter === null ? null : usdAfter - usdBefore,
  };
}

function applyTrade(row: PositionRow, trade: PositionTrade, { bnbUsdX8, timestamp }: TradeTime) {
  const bnbAmountWei = clamp(trade.bnbAmountWei);
  const tokenAmountRaw = clamp(trade.tokenAmountRaw);
  const { openTokensRaw, openCostWei: openCost, realisedWei: realised } = row;
  const result = applySide[trade.side]({ openTokensRaw, openCost, realised }, bnbAmountWei, movedRaw(trade));
  const counted =
    trade.side === "buy"
      ? {
          buys: row.buys + 1,
          tokensBoughtRaw: addAmount(row.tokensBoughtRaw, tokenAmountRaw),
          bnbSpentWei: addAmount(row.bnbSpentWei, bnbAmountWei),
        }
      : {
          sells: row.sells + 1,
          tokensSoldRaw: addAmount(row.tokensSoldRaw, tokenAmountRaw),
          bnbReceivedWei: addAmount(row.bnbReceivedWei, bnbAmountWei),
        };
  return {
    openTokensRaw: result.openTokensRaw,
    openCostWei: result.openCost,
    realisedWei: result.realised,
    firstTradeAt: row.firstTradeAt ?? timestamp,
    lastTradeAt: timestamp,
    changedAt: timestamp,
    ...counted,
    ...applyTradeInUsd(row, trade, toUsd(bnbAmountWei, bnbUsdX8)),
  };
}

function movedRaw({ tokensMovedRaw, tokenAmountRaw }: PositionTrade): bigint {
  return tokensMovedRaw ?? clamp(tokenAmountRaw);
}

/** Once one amount in USD is unknown, so are all results. */
const unknownUsd = { spentUsdX18: null, receivedUsdX18: null, openCostUsdX18: null, realisedUsdX18: null };

function applyTradeInUsd(row: PositionRow, trade: PositionTrade, usd: bigint | null) {
  const { side } = trade;
  const {
    openTokensRaw,
    openCostUsdX18: openCost,
    realisedUsdX18: realised,
    spentUsdX18,
    receivedUsdX18,
  } = row;
  if (
    usd === null ||
    openCost === null ||
    realised === null ||
    spentUsdX18 === null ||
    receivedUsdX18 === null
  ) {
    return unknownUsd;
  }
  const result = applySide[side]({ openTokensRaw, openCost, realised }, usd, movedRaw(trade));
  return {
    ...(side === "buy"
      ? { spentUsdX18: addAmount(spentUsdX18, usd) }
      : { receivedUsdX18: addAmount(receivedUsdX18, usd) }),
    openCostUsdX18: result.openCost,
    realisedUsdX18: result.realised,
  };
}

const applySide = { buy: addTokens, sell: applySell };
