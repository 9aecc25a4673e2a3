import { useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { currency } from "../data/settings.ts";
import { formatCount, groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Rows } from "../parts/rows.tsx";
import { type Day, formatDay } from "./stats.ts";

export const measures = ["volume", "trades", "tokensCreated", "tokensGraduated"] as const;

type Measure = (typeof measures)[number];

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
        <span>{t.stats.overDays(t.stats.chartTitles[measure], days && groupDigits(days.length))}</span>
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
          <span>{t.time.today}</span>
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
      {t.stats.dayWords(
        groupDigits(day.trades),
        formatCount(day.tokensCreated),
        formatCount(day.tokensGraduated),
      )}
    </>
  );
}

/** A table with a row per day, newest first. */
export function DayTable({ days }: { days: readonly Day[] }) {
  return (
    <Rows
      caption={t.stats.daysCaption(coin)}
      columns={[t.stats.day, ...measures.map((measure) => ({ name: t.stats.measures[measure] }))]}
      kind="is-numbers"
    >
      {days.toReversed().map((day, index) => (
        <tr key={day.day}>
          <th scope="row">
            <time dateTime={day.day}>{index === 0 ? t.time.today : formatDay(day.day)}</time>
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
    </Rows>
  );
}
