/**
 * Returns the percentage of `totalToSell` that is sold, rounded down to 4 decimals: 0 to 100. It is 100 if and only if
 * the token has graduated, whatever the amounts say.
 *
 * @param tokensSold base units sold on the curve
 * @param totalToSell base units that the curve offers in all
 */
export function curveProgress(tokensSold: bigint, totalToSell: bigint, graduated: boolean): number {
  if (graduated) return 100;
  if (totalToSell <= 0n || tokensSold <= 0n) return 0;
  const tenThousandths = (tokensSold * 1_000_000n) / totalToSell;
  return tenThousandths >= 1_000_000n ? 99.9999 : Number(tenThousandths) / 10_000;
}
