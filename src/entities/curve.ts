import { curve } from "ponder:schema";
import { addAmount, subtractAmount } from "../curve/amounts.ts";
import { graduationReserves } from "../curve/opening.ts";
import { priceX36 } from "../curve/price.ts";
import { curveProgress } from "../curve/progress.ts";
import { toUsd } from "../curve/usd.ts";
import type { Address, EntityContext, EventPosition } from "./context.ts";
import { noTotals, withTrade } from "./totals.ts";

type CurveRow = typeof curve.$inferSelect;

export type OpenedCurve = {
  token: Address;
  burnPercent: number;
  virtualBnbReserves: bigint;
  virtualTokenReserves: bigint;
  totalToSell: bigint;
  /** USD for one BNB with 8 decimals, where there is a price feed. */
  bnbUsdX8: bigint | null;
};

/** Writes a new curve. Keeps the reserves of any trades that came before it. */
export async function openCurve(
  context: EntityContext,
  { bnbUsdX8, ...opened }: OpenedCurve,
  { block }: EventPosition,
): Promise<void> {
  const { burnPercent, virtualBnbReserves, virtualTokenReserves, totalToSell } = opened;
  const openingPriceX36 = priceX36(virtualBnbReserves, virtualTokenReserves);
  const openingPriceUsdX36 = toUsd(openingPriceX36, bnbUsdX8);
  const opening = {
    burnPercent,
    totalToSell,
    openedBlock: block.number,
    openingPriceX36,
    openingPriceUsdX36,
    graduationBnbReserves: graduationReserves(virtualBnbReserves, virtualTokenReserves, totalToSell),
    changedAt: block.timestamp,
  };
  await context.db
    .insert(curve)
    .values({
      ...unopened(context, opened.token),
      ...opened,
      ...opening,
      realTokenReserves: totalToSell,
      priceX36: openingPriceX36,
      closePriceX36: openingPriceX36,
      closePriceUsdX36: openingPriceUsdX36,
    })
    .onConflictDoUpdate((row) =>
      row.totalToSell > 0n ? {} : { ...opening, ...sold(row, row.tokensSold, totalToSell) },
    );
}

export type MarketTrade = {
  id: string;
  token: Address;
  venue: "curve" | "dex";
  side: "buy" | "sell";
  /** Wei. */
  bnbAmount: bigint;
  /** Base units. */
  tokenAmount: bigint;
  /** After the trade: the curve's virtual reserves or the pair's. */
  bnbReserves: bigint;
  tokenReserves: bigint;
  /** USD for one BNB with 8 decimals, where there is a price feed. */
  bnbUsdX8: bigint | null;
  /** Seconds. */
  timestamp: bigint;
};

/** The price after a trade, with 36 decimals, and the time of that trade, in seconds. */
export type Close = Pick<CurveRow, "closePriceX36" | "closePriceUsdX36" | "lastTradeAt">;

/** Applies a trade to the token's curve. Returns the row after it, and price and time before it. */
export async function tradeOnMarket(
  context: EntityContext,
  trade: MarketTrade,
): Promise<{ before: Close; after: CurveRow }> {
  const blank = unopened(context, trade.token);
  let before: Close = blank;
  const after = await context.db
    .insert(curve)
    .values({ ...blank, ...traded(blank, trade) })
    .onConflictDoUpdate((row) => {
      const { closePriceX36, closePriceUsdX36, lastTradeAt } = row;
      before = { closePriceX36, closePriceUsdX36, lastTradeAt };
      return traded(row, trade);
    });
  return { before, after };
}

/** Marks the token as graduated to a DEX pair. Returns false if it had graduated before. */
export async function graduateCurve(
  context: EntityContext,
  { token, pair, id, timestamp }: { token: Address; pair: Address; id: string; timestamp: bigint },
): Promise<boolean> {
  const graduated = {
    graduated: true,
    graduatedAt: timestamp,
    pair,
    progress: curveProgress(0n, 0n, true),
    changedAt: timestamp,
    graduatedId: id,
  };
  let isNew = true;
  await context.db
    .insert(curve)
    .values({ ...unopened(context, token), ...graduated })
    .onConflictDoUpdate((row) => {
      isNew = !row.graduated;
      return isNew ? graduated : {};
    });
  return isNew;
}

/** Whether the token has graduated. */
export async function isGraduated({ db, chain }: EntityContext, token: Address): Promise<boolean> {
  const row = await db.find(curve, { chainId: chain.id, token });
  return row?.graduated ?? false;
}

/** Stores the token's price on the DEX, which liquidity changes move too. Time in seconds. */
export async function updatePrice(
  { db, chain }: EntityContext,
  token: Address,
  market: { priceX36: bigint; changedAt: bigint },
): Promise<void> {
  await db.update(curve, { chainId: chain.id, token }).set(market);
}

function traded(row: CurveRow, trade: MarketTrade) {
  const { bnbReserves, tokenReserves, bnbUsdX8, timestamp } = trade;
  const price = priceX36(bnbReserves, tokenReserves);
  // Without reserves there is no price: keep the last one.
  const closePriceX36 = price === 0n ? row.closePriceX36 : price;
  return {
    ...withTrade(row, trade, bnbUsdX8),
    ...(trade.venue === "curve" ? tradedOnCurve(row, trade, price) : {}),
    closePriceX36,
    closePriceUsdX36: toUsd(closePriceX36, bnbUsdX8),
    lastTradeAt: timestamp,
    lastTradeId: trade.id,
    changedAt: timestamp,
  };
}

function tradedOnCurve(
  row: CurveRow,
  { side, tokenAmount, bnbReserves, tokenReserves }: MarketTrade,
  price: bigint,
) {
  const tokensSold =
    side === "buy" ? addAmount(row.tokensSold, tokenAmount) : subtractAmount(row.tokensSold, tokenAmount);
  return {
    virtualBnbReserves: bnbReserves,
    virtualTokenReserves: tokenReserves,
    priceX36: price,
    ...sold(row, tokensSold, row.totalToSell),
  };
}

function sold(row: CurveRow, tokensSold: bigint, totalToSell: bigint) {
  return {
    tokensSold,
    realTokenReserves: subtractAmount(totalToSell, tokensSold),
    progress: curveProgress(tokensSold, totalToSell, row.graduated),
  };
}

function unopened({ chain }: EntityContext, token: Address): CurveRow {
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
    priceX36: 0n,
    openedBlock: null,
    openingPriceX36: 0n,
    openingPriceUsdX36: null,
    graduationBnbReserves: 0n,
    closePriceX36: 0n,
    closePriceUsdX36: null,
    ...noTotals,
    lastTradeAt: null,
    lastTradeId: null,
    changedAt: 0n,
    graduatedId: null,
  };
}
