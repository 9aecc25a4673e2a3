import type { Address } from "viem";
import { totalColumns, totalsOf } from "./expected-trades.ts";
import { groupBy } from "./groups.ts";
import type { Market, ObservedCurve, ObservedTrade } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** Returns the rows of `curve`, without the columns that are compared with the contract itself. */
export function expectedCurves({ trades, curves }: Market, creators: Map<Address, Address>): ExpectedRow[] {
  const tradesOf = new Map(groupBy(trades, ({ token }) => token).map((group) => [group[0].token, group]));
  return [...curves].map(([token, curve]) =>
    expectedCurve(token, curve, tradesOf.get(token) ?? [], creators),
  );
}

const paidBy = (trades: ObservedTrade[]) => bnbOf(trades.filter(({ isBuy }) => isBuy));
const receivedBy = (trades: ObservedTrade[]) => bnbOf(trades.filter(({ isBuy }) => !isBuy));
const bnbOf = (trades: ObservedTrade[]) => trades.reduce((total, { bnb }) => total + bnb, 0n);

function expectedCurve(
  token: Address,
  curve: ObservedCurve,
  trades: ObservedTrade[],
  creators: Map<Address, Address>,
): ExpectedRow {
  const { opened, opening, openingUsd, graduation } = curve;
  const last = trades.at(-1);
  const sold = trades
    .filter(({ venue }) => venue === "curve")
    .reduce((total, { isBuy, tokens }) => (isBuy ? total + tokens : total - tokens), 0n);
  const left = opened.tokens - opened.toSell;
  return {
    token,
    burn_percent: curve.burnPercent,
    opened_block: opened.block,
    opening_price_bnb_x36: opening,
    opening_price_usd_x36: openingUsd,
    // Known from the trade that graduated it; until then it follows from the product of the reserves, rounded up.
    graduation_bnb_reserves_wei:
      graduation === undefined
        ? (opened.bnb * opened.tokens) / left + ((opened.bnb * opened.tokens) % left > 0n ? 1n : 0n)
        : trades[graduation.tradesBefore - 1]?.bnbReserves,
    progress: graduation === undefined ? Number((sold * 1_000_000n) / opened.toSell) / 10_000 : 100,
    graduated: graduation !== undefined,
    graduated_at: graduation?.timestamp ?? null,
    graduated_id: graduation?.id ?? null,
    pair: graduation?.pair ?? null,
    price_bnb_x36: curve.dexPrice ?? last?.to ?? opening,
    // Until graduation, everything that the curve has beyond its initial virtual BNB.
    liquidity_wei:
      curve.dexReserves?.bnb ?? graduation?.bnbLiquidity ?? (last?.bnbReserves ?? opened.bnb) - opened.bnb,
    graduated_by: graduation === undefined ? null : trades[graduation.tradesBefore - 1]?.trader,
    close_price_bnb_x36: last?.to ?? opening,
    close_price_usd_x36: last === undefined ? openingUsd : last.toUsd,
    last_trade_at: last?.timestamp ?? null,
    last_trade_id: last?.id ?? null,
    changed_at: curve.changedAt,
    ...totalColumns(totalsOf(trades)),
    bought_to_date_wei: paidBy(trades),
    creator_bought_to_date_wei: paidBy(trades.filter(({ trader }) => trader === creators.get(token))),
    opening_bought_wei: paidBy(trades.filter(({ block }) => block === opened.block)),
    net_volume_to_date_wei: groupBy(trades, ({ trader }) => trader)
      .map((own) => paidBy(own) - receivedBy(own))
      .reduce((total, net) => total + (net < 0n ? -net : net), 0n),
  };
}
