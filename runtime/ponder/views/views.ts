import { accounts, earlyBuyers, holders, positions } from "./accounts.ts";
import { candles } from "./candles.ts";
import { curves, graduations, registrations, tokens } from "./tokens.ts";
import { activeTokens, chains, dailyTotals, pairs, totals } from "./totals.ts";
import { bnbUsd, liquidity, trades } from "./trades.ts";

/** Every view for analysts. Names and units stay; what is new is added at the end of its view, so that views of users over it stay too. */
export const views = [
  ...[chains, totals, dailyTotals, tokens, curves, graduations, registrations, trades, candles],
  ...[holders, positions, accounts, earlyBuyers, pairs, liquidity, bnbUsd, activeTokens],
];
