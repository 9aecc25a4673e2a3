import type { AccountLabels, CreatorRecord, Risk, TokenWindows, TradeTotals } from "./market.schema.ts";
import { changePercent, floorPercent, floorRatio, formatDifference } from "./price.ts";
import type { CreatorRecordRow, RiskRow } from "./risk.query.ts";
import { perWindow } from "./time.ts";
import type { TotalsBefore, TotalsRow, WindowsRow } from "./windows.query.ts";

/** Maps the totals of all trades to date. */
export function toTradedToDate(row: TotalsRow, hasRate: boolean): TradeTotals {
  return toTradeTotals(row, [0, 0, "0", "0"], hasRate);
}

/**
 * Maps the totals of trades since some moment, given the totals before it.
 *
 * @param before buys, sells, and volume in wei and in USD with 18 decimals; null if nothing was traded since
 * @param hasRate whether a BNB/USD rate is known
 */
export function toTradeTotals(
  row: TotalsRow,
  before: Readonly<[number, number, string, string, ...unknown[]]> | null,
  hasRate: boolean,
): TradeTotals {
  const { buys_to_date, sells_to_date, volume_to_date_wei, volume_to_date_usd_x18 } = row;
  const [buysBefore, sellsBefore, bnbBefore, usdBefore] = before ?? [
    buys_to_date,
    sells_to_date,
    volume_to_date_wei,
    volume_to_date_usd_x18,
  ];
  const buys = buys_to_date - buysBefore;
  const sells = sells_to_date - sellsBefore;
  return {
    volumeBnb: formatDifference(volume_to_date_wei, bnbBefore),
    ...(hasRate ? { volumeUsd: formatDifference(volume_to_date_usd_x18, usdBefore) } : {}),
    trades: buys + sells,
    buys,
    sells,
  };
}

/** Maps a token's windows. */
export function toWindows(row: WindowsRow, hasRate: boolean): TokenWindows {
  return perWindow((_, index) => {
    const before = row.before_windows?.[index] ?? null;
    return {
      ...toTradeTotals(row, before, hasRate),
      traders: row.traders_in_windows?.[index] ?? 0,
      priceChangePercent: priceChange(row.close_price_bnb_x36, before),
    };
  });
}

function priceChange(close: string, before: TotalsBefore): number | null {
  const after = BigInt(close);
  return changePercent(before === null ? after : BigInt(before[4]), after);
}

/** Maps a token's holdings to the response, given its supply in base units. */
export function toRisk(row: RiskRow, totalSupply: bigint | string): Risk {
  const [supply, circulating] = [BigInt(totalSupply), BigInt(row.circulating_raw)];
  const { all, snipers, bundlers } = row.early_buyers;
  const [earlyBuyers, early] = all;
  const [creator, top10] = [BigInt(row.creator_balance_raw ?? 0), BigInt(row.top10_balance)];
  const earlyBalance = BigInt(early);
  const share = (balance: bigint) => floorRatio(balance * 100n, circulating);
  const ofBuys = (wei: string) => floorRatio(BigInt(wei) * 100n, BigInt(row.bought_to_date_wei));
  return {
    creatorPercent: share(creator),
    top10Percent: share(top10),
    earlyBuyersPercent: share(earlyBalance),
    creatorOfSupplyPercent: floorPercent(creator, supply),
    top10OfSupplyPercent: floorPercent(top10, supply),
    earlyBuyersOfSupplyPercent: floorPercent(earlyBalance, supply),
    earlyBuyers,
    snipers: snipers[0],
    snipersPercent: share(BigInt(row.sniper_balance_raw)),
    snipersBoughtPercent: share(BigInt(snipers[1])),
    bundlers: bundlers[0],
    bundlersPercent: share(BigInt(row.bundler_balance_raw)),
    bundlersBoughtPercent: share(BigInt(bundlers[1])),
    insiders: row.insiders,
    insidersPercent: share(BigInt(row.insider_balance_raw)),
    insidersReceivedPercent: share(BigInt(row.insider_received_raw)),
    effectiveHolders: floorRatio(circulating * circulating, BigInt(row.balance_squares_raw)),
    creatorBuysPercent: ofBuys(row.creator_bought_to_date_wei),
    openingBuysPercent: ofBuys(row.opening_bought_wei),
    creatorSoldOut: row.creator_balance_raw !== null && BigInt(row.creator_balance_raw) === 0n,
    creatorGraduated: row.creator_graduated,
  };
}

/** Maps a creator's record to the response. */
export function toCreatorRecord(row: CreatorRecordRow): CreatorRecord {
  return {
    tokensCreated: row.tokens_created,
    tokensGraduated: row.tokens_graduated,
    tokensSoldOut: row.tokens_sold_out,
  };
}

type Row = {
  account: string;
  creator: string | null;
  /** How many blocks after the curve's opening it first bought, if that was in the first three. */
  early_block: number | null;
  insider_hops: number | null;
};

export function toAccountLabels({ account, creator, early_block, insider_hops }: Row): AccountLabels {
  if (account === creator) return ["creator"];
  const labels: AccountLabels = [];
  if (early_block === 0) labels.push("bundler");
  if (early_block !== null) labels.push("sniper");
  if (insider_hops !== null) labels.push("insider");
  return labels;
}
