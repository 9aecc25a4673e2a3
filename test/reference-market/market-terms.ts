import { formatUnits } from "viem";
import type { MadeTrade } from "../chain/recorded-market.ts";

/* The values that the API should return for a recorded market, computed independently. */

/** The price in BNB per token, from wei and base units. */
export function exactPrice([bnb, tokens]: [bigint, bigint]): string {
  return formatUnits((bnb * 10n ** 36n) / tokens, 36);
}

/** Parses a price into an integer with 36 decimals. */
export function parsePrice(text: string): bigint {
  const [whole = "0", decimals = ""] = text.split(".");
  return BigInt(whole + decimals.padEnd(36, "0"));
}

/** Converts BNB to USD, at `usd` per BNB. */
export function inUsd(bnb: string | undefined, usd: bigint): string {
  return formatUnits(parsePrice(bnb ?? "0") * usd, 36);
}

export function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

/** The result by average cost, computed independently. */
export function averageCost(trades: MadeTrade[]) {
  let [open, cost, realised] = [0n, 0n, 0n];
  for (const { side, bnb, tokens } of trades) {
    if (side === "buy") {
      open += tokens;
      cost += bnb;
    } else {
      const share = (cost * tokens) / open;
      realised += bnb - share;
      cost -= share;
      open -= tokens;
    }
  }
  return { open, cost, realised };
}
