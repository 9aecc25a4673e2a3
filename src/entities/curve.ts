import { curve } from "ponder:schema";
import { addAmount, subtractAmount } from "../curve/amounts.ts";
import { priceX36 } from "../curve/price.ts";
import { curveProgress } from "../curve/progress.ts";
import type { Address, EntityContext } from "./context.ts";

type CurveRow = typeof curve.$inferSelect;

export type OpenedCurve = {
  token: Address;
  burnPercent: number;
  virtualBnbReserves: bigint;
  virtualTokenReserves: bigint;
  totalToSell: bigint;
};

/** Writes a new curve. If trades came before it, their reserves stand. */
export async function openCurve(context: EntityContext, opened: OpenedCurve): Promise<void> {
  const { burnPercent, totalToSell } = opened;
  await context.db
    .insert(curve)
    .values({
      ...unopened(context, opened.token),
      ...opened,
      realTokenReserves: totalToSell,
      priceX36: priceX36(opened.virtualBnbReserves, opened.virtualTokenReserves),
    })
    .onConflictDoUpdate((row) =>
      row.totalToSell > 0n ? {} : { burnPercent, totalToSell, ...sold(row, row.tokensSold, totalToSell) },
    );
}

export type CurveTrade = {
  id: string;
  token: Address;
  side: "buy" | "sell";
  tokenAmount: bigint;
  /** Reserves after the trade. */
  virtualBnbReserves: bigint;
  virtualTokenReserves: bigint;
  timestamp: bigint;
};

/** Moves the curve by one trade on it. */
export async function tradeOnCurve(context: EntityContext, trade: CurveTrade): Promise<void> {
  const { virtualBnbReserves, virtualTokenReserves, side, tokenAmount } = trade;
  const change = (row: CurveRow) => ({
    virtualBnbReserves,
    virtualTokenReserves,
    priceX36: priceX36(virtualBnbReserves, virtualTokenReserves),
    lastTradeAt: trade.timestamp,
    lastTradeId: trade.id,
    ...sold(
      row,
      side === "buy" ? addAmount(row.tokensSold, tokenAmount) : subtractAmount(row.tokensSold, tokenAmount),
      row.totalToSell,
    ),
  });
  const blank = unopened(context, trade.token);
  await context.db
    .insert(curve)
    .values({ ...blank, ...change(blank) })
    .onConflictDoUpdate(change);
}

/** Marks the token as graduated to a DEX pair. A token graduates once. */
export async function graduateCurve(
  context: EntityContext,
  graduation: { token: Address; pair: Address; timestamp: bigint },
): Promise<void> {
  const graduated = {
    graduated: true,
    graduatedAt: graduation.timestamp,
    pair: graduation.pair,
    progress: curveProgress(0n, 0n, true),
  };
  await context.db
    .insert(curve)
    .values({ ...unopened(context, graduation.token), ...graduated })
    .onConflictDoUpdate((row) => (row.graduated ? {} : graduated));
}

/** Follows the token's price on the DEX, and its last trade there. */
export async function updateMarket(
  { db, chain }: EntityContext,
  token: Address,
  market: { priceX36: bigint } | { lastTradeAt: bigint; lastTradeId: string },
): Promise<void> {
  await db.update(curve, { chainId: chain.id, token }).set(market);
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
    lastTradeAt: null,
    lastTradeId: null,
  };
}
