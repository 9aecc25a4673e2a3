import { clamp } from "./amounts.ts";

const answerScale = 10n ** 8n;

/**
 * Converts BNB to USD at the same scale (wei to USD with 18 decimals), rounded down; null without a rate.
 *
 * @param bnbUsdX8 USD for one BNB with 8 decimals, as Chainlink's BNB/USD feeds answer
 */
export function toUsd(bnb: bigint, bnbUsdX8: bigint | null): bigint | null {
  return bnbUsdX8 === null ? null : clamp((bnb * bnbUsdX8) / answerScale);
}
