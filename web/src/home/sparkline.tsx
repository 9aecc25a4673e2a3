import { t } from "../language/messages.ts";
import type { Row } from "./token-list.ts";

const spans = ["24h", "6h", "1h", "5m"] as const;

/** The prices that a row knows, as parts of the present one, the oldest first: those before its windows, and the present one. */
export function knownPrices(changes: readonly (number | null)[]): number[] {
  const before = changes.flatMap((percent) =>
    percent === null || percent <= -100 ? [] : [100 / (100 + percent)],
  );
  return [...before, 1];
}

const width = 64;
const height = 18;

/** The price 24 hours, 6 hours, an hour and 5 minutes ago, and now. Decoration: the change is beside it in numbers. */
export function Sparkline({ windows }: { windows: Row["windows"] }) {
  const prices = knownPrices(spans.map((span) => windows[span].priceChangePercent));
  const least = Math.min(...prices);
  const range = Math.max(...prices) - least;
  if (prices.length < 3 || range === 0) return null;
  const points = prices.map((price, at) => {
    const y = height - 1 - ((price - least) / range) * (height - 2);
    return `${(at * width) / (prices.length - 1)},${y.toFixed(1)}`;
  });
  const isUp = (prices[0] ?? 1) <= 1;
  return (
    <svg
      class={`sparkline ${isUp ? "up" : "down"}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <title>{t.home.sparkline}</title>
      <polyline points={points.join(" ")} />
    </svg>
  );
}
