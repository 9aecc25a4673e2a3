import type { Address } from "viem";
import { groupBy, sum } from "./groups.ts";
import type { ObservedTrade } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** An account's position in a token. Base units and wei. */
export type ExpectedPosition = {
  token: Address;
  account: Address;
  trades: ObservedTrade[];
  openTokens: bigint;
  openCost: bigint;
  realised: bigint;
  /** USD with 18 decimals; undefined if a trade had no rate. */
  usd: { openCost: bigint; spent: bigint; received: bigint; realised: bigint } | undefined;
};

/** Computes all positions by replaying each account's trades of each token. */
export function replayPositions(trades: ObservedTrade[]): ExpectedPosition[] {
  return groupBy(trades, ({ token, trader }) => `${token} ${trader}`).map((group) => ({
    token: group[0].token,
    account: group[0].trader,
    trades: group,
    ...resultOf(group),
    usd: usdResultOf(group),
  }));
}

/** Returns the result of an account's trades of one token, in wei. */
export function resultOf(trades: ObservedTrade[]) {
  return averageCost(trades.map(({ isBuy, tokens, bnb }) => ({ isBuy, tokens, paid: bnb })));
}

/** The same in USD; undefined if a trade had no rate. */
export function usdResultOf(trades: ObservedTrade[]) {
  const paid = trades.flatMap(({ isBuy, tokens, volumeUsd }) =>
    volumeUsd === null ? [] : [{ isBuy, tokens, paid: volumeUsd }],
  );
  return paid.length === trades.length ? averageCost(paid) : undefined;
}

export function positionRow({ token, account, trades, ...result }: ExpectedPosition): ExpectedRow {
  const buys = trades.filter(({ isBuy }) => isBuy);
  const sells = trades.filter(({ isBuy }) => !isBuy);
  return {
    token,
    account,
    buys: buys.length,
    sells: sells.length,
    tokens_bought_raw: sum(buys.map(({ tokens }) => tokens)),
    tokens_sold_raw: sum(sells.map(({ tokens }) => tokens)),
    bnb_spent_wei: sum(buys.map(({ bnb }) => bnb)),
    bnb_received_wei: sum(sells.map(({ bnb }) => bnb)),
    open_tokens_raw: result.openTokens,
    open_cost_wei: result.openCost,
    realised_wei: result.realised,
    spent_usd_x18: result.usd?.spent ?? null,
    received_usd_x18: result.usd?.received ?? null,
    open_cost_usd_x18: result.usd?.openCost ?? null,
    realised_usd_x18: result.usd?.realised ?? null,
    first_trade_at: trades[0]?.timestamp,
    last_trade_at: trades.at(-1)?.timestamp,
  };
}

/**
 * A sale uses up bought tokens first, at their average cost, rounded down to the last decimal. Tokens that were received by transfer
 * are sold last, and cost nothing. Everything spent is either still open, or set off against the proceeds of sales.
 */
function averageCost(trades: { isBuy: boolean; tokens: bigint; paid: bigint }[]) {
  let openTokens = 0n;
  let openCost = 0n;
  let spent = 0n;
  let received = 0n;
  for (const { isBuy, paid, tokens } of trades) {
    if (isBuy) {
      openTokens += tokens;
      openCost += paid;
      spent += paid;
      continue;
    }
    received += paid;
    const kept = tokens >= openTokens ? 0n : openTokens - tokens;
    // The open tokens cost the rest, which rounds up where the sale's cost rounds down.
    openCost = openTokens === 0n ? openCost : ceilingOf(openCost * kept, openTokens);
    openTokens = kept;
  }
  return { openTokens, openCost, spent, received, realised: received - (spent - openCost) };
}

function ceilingOf(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
