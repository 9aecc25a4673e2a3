import { formatNumber } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { asUsd, Change } from "../parts/amount.tsx";
import { type Bar, isBar } from "./chart-data.ts";

export type LegendProps = {
  bar: Bar;
  inUsd: boolean;
  /** The moving averages at this bar, by their length; none if they are not shown. */
  averages: readonly { length: number; value: number | undefined }[];
};

/** The values of the candle under the crosshair, or of the latest one. */
export function ChartLegend({ bar, inUsd, averages }: LegendProps) {
  if (!isBar(bar)) return null;
  const kind = bar.close < bar.open ? "down" : "up";
  const text = (value: number) => (inUsd ? asUsd(value) : formatNumber(value));
  return (
    <p class="chart-legend">
      {(["open", "high", "low", "close"] as const).map((name) => (
        <span key={name}>
          <span class="muted">{t.token.chart.legend[name]}</span>{" "}
          <span class={`number ${kind}`}>{text(bar[name])}</span>
        </span>
      ))}
      <Change percent={bar.open > 0 ? 100 * (bar.close / bar.open - 1) : undefined} />
      <span>
        <span class="muted">{t.token.chart.legend.volume}</span>{" "}
        <span class="number">{text(bar.volume)}</span>
      </span>
      {averages.map(({ length, value }, at) => (
        <span key={length} class={`average-${at + 1}`}>
          MA{length} <span class="number">{value === undefined ? "–" : text(value)}</span>
        </span>
      ))}
    </p>
  );
}
