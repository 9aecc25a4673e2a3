const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 6, useGrouping: false });

/** Rounds a decimal string to 6 significant digits, without an exponent or trailing zeros. */
export function toSixDigits(decimal: string): string {
  return format.format(Number(decimal));
}
