import { curve } from "ponder:schema";
import { addAmount, clamp, subtractAmount } from "../domain/amounts.ts";
import { curveProgress, graduationReserves, priceBnbX36, toUsd } from "../domain/price.ts";
import { type Address, type EntityContext, type EventPosition, positionId } from "./context.ts";
import { addTradeToTotals, zeroTotals } from "./totals.ts";
import { findCurveBuyer, type NewTrade } from "./trade.ts";

type CurveRow = typeof curve.$inferSelect;

export type OpenedCurve = {
  token: Address;
  burnPercent: number;
  virtualBnbReserves: bigint;
  virtualTokenReserves: bigint;
  totalToSell: bigint;
  /** USD for one BNB with 8 decimals; null without a rate. */
  bnbUsdX8: bigint | null;
};

/** Writes a new curve. Keeps the reserves of any trades that came before it. */
export async function openCurve(
  context: EntityContext,
  { bnbUsdX8, ...opened }: OpenedCurve,
  { block }: EventPosition,
): Promise<void> {
  const { burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell } = opened;
  const openingPriceBnbX36 = priceBnbX36(virtualBnbReserves, virtualTokenReserves);
  const openingPriceUsdX36 = toUsd(openingPriceBnbX36, bnbUsdX8);
  const opening = {
    burnPercent,
    totalToSell,
    openedBlock: block.number,
    openingPriceBnbX36,
    openingPriceUsdX36,
    graduationBnbReservesWei: graduationReserves(virtualBnbReserves, virtualTokenReserves, totalToSell),
    changedAt: block.timestamp,
  };
  await context.db
    .insert(curve)
    .values({
      ...newCurve(context, opened.token),
      ...opened,
      ...opening,
      realTokenReserves: totalToSell,
      priceBnbX36: openingPriceBnbX36,
      closePriceBnbX36: openingPriceBnbX36,
      closePriceUsdX36: openingPriceUsdX36,
    })
    .onConflictDoUpdate((row) =>
      row.totalToSell > 0n ? {} : { ...opening, ...withTokensSold(row, row.tokensSold, totalToSell) },
    );
}

/** The price after the last trade, with 36 decimals, and the time of that trade, in seconds. */
export type Close = Pick<CurveRow, "closePriceBnbX36" | "closePriceUsdX36" | "lastTradeAt">;

/** Stores what the creator had paid for buys before the TokenCreated event, in wei. */
export async function setCreatorBought(
  { db, chain }: EntityContext,
  token: Address,
  creatorBoughtToDateWei: bigint,
  { block: { timestamp: changedAt } }: EventPosition,
): Promise<void> {
  const key = { chainId: chain.id, token };
  if ((await db.find(curve, key)) === null) return;
  await db.update(curve, key).set({ creatorBoughtToDateWei, changedAt });
}

/** Applies a trade to the token's curve. Returns its row after the trade, and closing price and time before. */
export async function recordInCurve(
  context: EntityContext,
  trade: NewTrade,
  details: TradeDetails,
): Promise<{ before: Close; after: CurveRow }> {
  const { db, chain } = context;
  const key = { chainId: chain.id, token: trade.token };
  const row = await db.find(curve, key);
  if (row !== null) {
    return { before: row, after: await db.update(curve, key).set(applyTrade(row, trade, details)) };
  }
  const before = newCurve(context, trade.token);
  return {
    before,
    after: await db.insert(curve).values({ ...before, ...applyTrade(before, trade, details) }),
  };
}

/** Marks the token as graduated to a DEX pair. Returns false if it had graduated before. */
export async function graduateCurve(
  context: EntityContext,
  { token, pair, bnbLiquidity }: { token: Address; pair: Address; bnbLiquidity: bigint },
  at: EventPosition,
): Promise<boolean> {
  const { timestamp } = at.block;
  const before = await context.db.find(curve, { chainId: context.chain.id, token });
  const graduated = {
    graduated: true,
    graduatedAt: timestamp,
    pair,
    progress: curveProgress(0n, 0n, true),
    liquidityWei: clamp(bnbLiquidity),
    changedAt: timestamp,
    graduatedId: positionId(at),
    // The Trade event of the buy that sells out the curve comes right before.
    graduatedBy: await findCurveBuyer(context, before?.lastTradeId ?? null, at.transaction.hash),
  };
  let isNew = true;
  await context.db
    .insert(curve)
    .values({ ...newCurve(context, token), ...graduated })
    .onConflictDoUpdate((row) => {
      isNew = !row.graduated;
      return isNew ? graduated : {};
    });
  return isNew;
}

/**
 * Marks a token as changed, in the row that its trades write anyway, so that change detection also finds transfers that are
 * not trades. Time in seconds. Returns its row, or null if there is none.
 */
export async function touchCurve(
  { db, chain }: EntityContext,
  token: Address,
  changedAt: bigint,
): Promise<CurveRow | null> {
  const key = { chainId: chain.id, token };
  const row = await db.find(curve, key);
  if (row !== null && row.changedAt !== changedAt) await db.update(curve, row).set({ changedAt });
  return row;
}

/** Returns whether the token has graduated. */
export async function isGraduated({ db, chain }: EntityContext, token: Address): Promise<boolean> {
  const row = await db.find(curve, { chainId: chain.id, token });
  return row?.graduated ?? false;
}

/**
 * Stores the token's price on the DEX, which liquidity changes move too, and the pair's BNB reserves. An empty pair has no
 * price. Time in seconds.
 */
export async function updateDexMarket(
  { db, chain }: EntityContext,
  token: Address,
  market: { priceBnbX36?: bigint; liquidityWei: bigint; changedAt: bigint },
): Promise<void> {
  await db.update(curve, { chainId: chain.id, token }).set(market);
}

function newCurve({ chain }: EntityContext, token: Address): CurveRow {
  return {
    chainId: chain.id,
    token,
    burnPercent: 0,
    virtualBnbReserves: 0n,
    virtualTokenReserves: 0n,
    realTokenReserves: 0n,
    tokensSold: 0n,
    totalToSell: 0n,
    progress: 0,
    graduated: false,
    graduatedAt: null,
    pair: null,
    priceBnbX36: 0n,
    liquidityWei: 0n,
    openedBlock: null,
    openingPriceBnbX36: 0n,
    openingPriceUsdX36: null,
    graduationBnbReservesWei: 0n,
    closePriceBnbX36: 0n,
    closePriceUsdX36: null,
    ...zeroTotals,
    lastTradeAt: null,
    lastTradeId: null,
    changedAt: 0n,
    graduatedId: null,
    graduatedBy: null,
    boughtToDateWei: 0n,
    creatorBoughtToDateWei: 0n,
    openingBoughtWei: 0n,
    netVolumeToDateWei: 0n,
  };
}

type TradeDetails = {
  id: string;
  isByCreator: boolean;
  /** Wei by which the trade changes the trader's part of the net volume. */
  netChangeWei: bigint;
  block: bigint;
  /** USD for one BNB with 8 decimals; null without a rate. */
  bnbUsdX8: bigint | null;
  /** Seconds. */
  timestamp: bigint;
};

/** Returns the columns that a trade changes. */
function applyTrade(row: CurveRow, trade: NewTrade, details: TradeDetails) {
  const { bnbReservesWei, tokenReservesRaw } = trade;
  const { bnbUsdX8, timestamp } = details;
  const price = priceBnbX36(bnbReservesWei, tokenReservesRaw);
  // Without reserves there is no price: keep the previous one.
  const closePriceBnbX36 = price === 0n ? row.closePriceBnbX36 : price;
  return {
    netVolumeToDateWei: addAmount(row.netVolumeToDateWei, details.netChangeWei),
    closePriceBnbX36,
    closePriceUsdX36: toUsd(closePriceBnbX36, bnbUsdX8),
    lastTradeAt: timestamp,
    lastTradeId: details.id,
    changedAt: timestamp,
    ...addTradeToTotals(row, trade, bnbUsdX8),
    ...(trade.side === "buy" ? addBuy(row, trade, details) : {}),
    ...(trade.venue === "curve" ? applyCurveTrade(row, trade, price) : {}),
  };
}

function addBuy(row: CurveRow, { bnbAmountWei }: NewTrade, { isByCreator, block }: TradeDetails) {
  const { boughtToDateWei, creatorBoughtToDateWei, openingBoughtWei } = row;
  return {
    boughtToDateWei: addAmount(boughtToDateWei, bnbAmountWei),
    creatorBoughtToDateWei: addAmount(creatorBoughtToDateWei, isByCreator ? bnbAmountWei : 0n),
    openingBoughtWei: addAmount(openingBoughtWei, row.openedBlock === block ? bnbAmountWei : 0n),
  };
}

function applyCurveTrade(
  row: CurveRow,
  { side, bnbAmountWei, tokenAmountRaw, bnbReservesWei, tokenReservesRaw }: NewTrade,
  price: bigint,
) {
  const change = side === "buy" ? addAmount : subtractAmount;
  const tokensSold = change(row.tokensSold, tokenAmountRaw);
  return {
    virtualBnbReserves: bnbReservesWei,
    virtualTokenReserves: tokenReservesRaw,
    priceBnbX36: price,
    liquidityWei: change(row.liquidityWei, bnbAmountWei),
    ...withTokensSold(row, tokensSold, row.totalToSell),
  };
}

/** Returns the columns that depend on the number of base units sold. */
function withTokensSold(row: CurveRow, tokensSold: bigint, totalToSell: bigint) {
  return {
    tokensSold,
    realTokenReserves: subtractAmount(totalToSell, tokensSold),
    progress: curveProgress(tokensSold, totalToSell, row.graduated),
  };
}
