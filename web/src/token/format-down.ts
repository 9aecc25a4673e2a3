import { formatNumber, fromUnits } from "../format/number.ts";

/** Formats an amount in base units, rounded down: nobody has, or gets, a little less than what is shown. */
export function formatDown(raw: string | bigint, digits = 4): string {
  const text = String(BigInt(raw));
  return formatNumber(fromUnits(text.slice(0, digits).padEnd(text.length, "0")), digits);
}
