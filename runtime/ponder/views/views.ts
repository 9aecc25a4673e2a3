import { accounts, earlyBuyers, holders, positions } from "./accounts.ts";
import { candles } from "./candles.ts";
import { curves, graduations, registrations, tokens } from "./tokens.ts";
import { activeTokens, chains, dailyTotals, pairs, totals } from "./totals.ts";
import { balanceChange, bnbUsd, liquidity, trades, transfers } from "./trades.ts";

/** Every view for analysts. Names and units must not change, and new columns go at the end of a view, so that users' views over it stay valid. */
export const views = [
  ...[chains, totals, dailyTotals, tokens, curves, graduations, registrations, trades, candles],
  ...[holders, positions, accounts, earlyBuyers, pairs, liquidity, bnbUsd, activeTokens],
  ...[transfers, balanceChange],
];
