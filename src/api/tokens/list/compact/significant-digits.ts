const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 6, useGrouping: false });

/** A decimal string, rounded to 6 significant digits: without exponent, and without zeros at its end. */
export function toSixDigits(decimal: string): string {
  return format.format(Number(decimal));
}
