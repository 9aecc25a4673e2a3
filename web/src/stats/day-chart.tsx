import { useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { currency } from "../data/settings.ts";
import { formatCount } from "../format/number.ts";
import { plural } from "../format/time.ts";
import { Amount } from "../parts/amount.tsx";
import { type Day, formatDay } from "./stats.ts";

type Measure = "volume" | "trades" | "tokensCreated" | "tokensGraduated";

export const measures = [
  { value: "volume", label: "Volume" },
  { value: "trades", label: "Trades" },
  { value: "tokensCreated", label: "Created" },
  { value: "tokensGraduated", label: "Graduated" },
] as const;

const titles: Record<Measure, string> = {
  volume: "Volume",
  trades: "Trades",
  tokensCreated: "Tokens created",
  tokensGraduated: "Tokens graduated",
};

export type DayChartProps = {
  days: readonly Day[] | undefined;
  measure?: Measure;
};

/** The launchpad's last days as bars. The table below has the same numbers. */
export function DayChart({ days, measure = "volume" }: DayChartProps) {
  const [pointed, point] = useState<number>();
  const values = days?.map((day) => sizeOf(day, measure)) ?? [];
  const most = Math.max(...values, Number.MIN_VALUE);
  const shown = pointed === undefined ? undefined : days?.[pointed];
  return (
    <figure class="days" aria-busy={days === undefined}>
      <figcaption class="days-head">
        <span>
          {titles[measure]}, {days === undefined ? "last days" : `last ${plural(days.length, "day")}`}
        </span>
        <span class="days-shown" aria-hidden="true">
          {shown !== undefined && <DayWords day={shown} />}
        </span>
      </figcaption>
      <div class="days-bars" aria-hidden="true" onPointerLeave={() => point(undefined)}>
        {values.map((value, index) => (
          <div
            key={days?.[index]?.day}
            class={`day ${index === pointed ? "is-pointed" : ""} ${index === values.length - 1 ? "is-today" : ""}`}
            onPointerEnter={() => point(index)}
          >
            <span style={{ height: `${value === 0 ? 0 : Math.max(2, (100 * value) / most)}%` }} />
          </div>
        ))}
      </div>
      {days !== undefined && (
        <div class="days-axis muted" aria-hidden="true">
          <span>{formatDay(days[0]?.day ?? "")}</span>
          <span>Today</span>
        </div>
      )}
    </figure>
  );
}

function sizeOf(day: Day, measure: Measure): number {
  if (measure !== "volume") return day[measure];
  return Number(currency.value === "usd" ? (day.volumeUsd ?? day.volumeBnb) : day.volumeBnb);
}

function DayWords({ day }: { day: Day }) {
  return (
    <>
      <strong>{formatDay(day.day)}</strong> <Amount bnb={day.volumeBnb} usd={day.volumeUsd} />
      {`, ${plural(day.trades, "trade")}, ${formatCount(day.tokensCreated)} created, ${formatCount(day.tokensGraduated)} graduated`}
    </>
  );
}

/** A table with a row per day, newest first. */
export function DayTable({ days }: { days: readonly Day[] }) {
  return (
    <table class="rows is-numbers">
      <caption class="visually-hidden">The launchpad by day (UTC), in {coin}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {measures.map(({ value, label }) => (
            <th key={value} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day, index) => (
          <tr key={day.day}>
            <th scope="row">
              <time dateTime={day.day}>{index === 0 ? "Today" : formatDay(day.day)}</time>
            </th>
            <td>
              <Amount bnb={day.volumeBnb} usd={day.volumeUsd} />
            </td>
            {[day.trades, day.tokensCreated, day.tokensGraduated].map((count, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <td key={at} class="number">
                {formatCount(count)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
