import { coin } from "../data/chain.ts";
import { currency } from "../data/settings.ts";
import { formatChange, formatNumber, fromUnits, groupDigits } from "../format/number.ts";

export type AmountProps = {
  bnb: string | null | undefined;
  usd?: string | null | undefined;
  digits?: number;
  /** Whether the coin's name follows an amount in BNB. */
  unit?: boolean;
};

/** An amount in the visitor's currency if it is known, otherwise in BNB. */
export function Amount({ bnb, usd, digits = 4, unit = true }: AmountProps) {
  if (bnb === null || bnb === undefined) return <span class="muted">–</span>;
  const inUsd = isInUsd(usd);
  const exact = inUsd ? `${usd} USD` : `${bnb} ${coin.value}`;
  const shown = inUsd ? asUsd(usd, digits) : formatNumber(bnb, digits);
  return (
    <span class="number" title={exact}>
      {shown}
      {!inUsd && unit && <span class="unit"> {coin}</span>}
    </span>
  );
}

/** Whether an amount is shown in USD: the visitor wants that, and it is known. */
export const isInUsd = (usd: string | null | undefined): usd is string =>
  currency.value === "usd" && usd !== undefined && usd !== null;

/** Dollar amounts have cents from 1 to 9,999 dollars. */
export function asUsd(usd: string | number, digits = 4): string {
  const value = Number(usd);
  const size = Math.abs(value);
  if (size >= 1 && size < 10_000) {
    const cents = groupDigits(size, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return `${value < 0 ? "−" : ""}$${cents}`;
  }
  const text = formatNumber(usd, digits);
  return text.startsWith("−") ? `−$${text.slice(1)}` : `$${text}`;
}

/** What a typed amount was understood as: exactly, without thousands separators, and about what it is worth. */
export function Understood({
  units,
  unit,
  usdEach,
}: {
  units: bigint | undefined;
  unit: string;
  /** USD for one; undefined or not a number if unknown. */
  usdEach: number | undefined;
}) {
  if (units === undefined || units === 0n) return null;
  const exact = fromUnits(units);
  const usd = usdEach === undefined ? Number.NaN : Number(exact) * usdEach;
  return (
    <p class="small-text muted understood" role="status">
      = {exact} <bdi>{unit}</bdi>
      {Number.isFinite(usd) && ` ≈ ${asUsd(usd)}`}
    </p>
  );
}

/** A price change in percent, shown by colour and sign. */
export function Change({ percent }: { percent: number | null | undefined }) {
  if (percent === null || percent === undefined) return <span class="muted">–</span>;
  const kind = percent >= 0.05 ? "up" : percent <= -0.05 ? "down" : "muted";
  return <span class={`number ${kind}`}>{formatChange(percent)}</span>;
}
