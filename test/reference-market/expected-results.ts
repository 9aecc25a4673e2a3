import type { Address } from "viem";
import type { ExpectedAccount } from "./expected-accounts.ts";
import type { ExpectedPosition } from "./expected-positions.ts";
import { groupBy, sum } from "./groups.ts";
import type { ObservedTrade } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** What a sell realised, in wei, and in USD with 18 decimals: null if any trade up to it had no rate. Both are null for a buy. */
export type TradeResult = { realised: bigint | null; realisedUsd: bigint | null };

/** Returns each trade's result, by its id. */
export function tradeResults(positions: ExpectedPosition[]): Map<string, TradeResult> {
  return new Map(
    positions.flatMap(({ trades, results }) =>
      trades.map(({ id }): [string, TradeResult] => [
        id,
        results.get(id) ?? { realised: null, realisedUsd: null },
      ]),
    ),
  );
}

/** Returns the columns of an account's trading over all tokens. */
export function traderColumns(account: Address, positions: ExpectedPosition[]): ExpectedRow {
  const own = positions.filter((position) => position.account === account);
  const trades = own.flatMap((position) => position.trades);
  const results = own.flatMap((position) => [...position.results.values()]);
  const isKnown = isKnownInUsd(own);
  return {
    trades: trades.length,
    sells: trades.filter(({ isBuy }) => !isBuy).length,
    profitable_sells: results.filter(({ realised }) => realised !== null && realised > 0n).length,
    volume_wei: sum(trades.map(({ bnb }) => bnb)),
    volume_usd_x18: isKnown ? sum(trades.map(({ volumeUsd }) => volumeUsd ?? 0n)) : null,
    realised_wei: sum(results.map(({ realised }) => realised)),
    realised_usd_x18: isKnown ? sum(results.map(({ realisedUsd }) => realisedUsd ?? 0n)) : null,
  };
}

/** Whether every trade had a rate, and what was sold a cost in USD. */
export function isKnownInUsd(positions: ExpectedPosition[]): boolean {
  return positions.every(
    ({ trades, results }) =>
      trades.every(({ volumeUsd }) => volumeUsd !== null) &&
      [...results.values()].every(({ realisedUsd }) => realisedUsd !== null),
  );
}

/** Returns the numbers of traders, of sellers, of creators, and of creators with a graduated token. */
export function accountCounts(trades: ObservedTrade[], accounts: ExpectedAccount[]): ExpectedRow {
  const tradersOf = (some: ObservedTrade[]) => groupBy(some, ({ trader }) => trader).length;
  return {
    traders: tradersOf(trades),
    sellers: tradersOf(trades.filter(({ isBuy }) => !isBuy)),
    creators: accounts.filter(({ record }) => record.created > 0).length,
    graduated_creators: accounts.filter(({ record }) => record.graduated > 0).length,
  };
}
