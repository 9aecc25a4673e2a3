import { useState } from "preact/hooks";
import { chainId, coin } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { useLast, useResource } from "../data/resource.ts";
import { currency } from "../data/settings.ts";
import { formatNumber } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { asUsd } from "../parts/amount.tsx";
import { Choices } from "../parts/choices.tsx";
import { formatDay } from "../stats/stats.ts";
import { Result } from "./result.tsx";

const spans = ["30", "90", "365"] as const;
type Span = (typeof spans)[number];

const readDays = (address: string, days: number) =>
  dataOf(
    api.GET("/api/account/{address}/days", {
      params: { path: { address }, query: { days, chainId: chainId.peek() } },
    }),
  );

/** What the account realised on each of the last days, as bars above and below zero. */
export function ResultsByDay({ address }: { address: string }) {
  const [span, setSpan] = useState<Span>("30");
  const resource = useResource(`account days ${address} ${span} ${chainId.value ?? ""}`, () =>
    readDays(address, Number(span)),
  );
  const days = useLast(resource.data.value)?.days;
  if (days === undefined) return null;
  const isUsd = currency.value === "usd" && days.every(({ realisedUsd }) => realisedUsd !== undefined);
  const values = days.map((day) => Number(isUsd ? day.realisedUsd : day.realisedBnb));
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const [gain, loss] = [Math.max(0, ...values), Math.max(0, ...values.map((value) => -value))];
  const scale = 100 / (gain + loss || 1);
  const sells = sum(days.map((day) => day.sells));
  const wins = sum(days.map((day) => day.profitableSells));
  const shown = (value: number) => (isUsd ? asUsd(value) : `${formatNumber(value)} ${coin.value}`);
  return (
    <section class="panel results-by-day" aria-label={t.account.resultsByDay}>
      <div class="days-head">
        <span>
          {t.account.resultsByDay}:{" "}
          <Result
            bnb={String(sum(days.map(({ realisedBnb }) => Number(realisedBnb))))}
            usd={isUsd ? String(sum(values)) : undefined}
          />
        </span>
        {sells > 0 && <span>{t.account.wins(wins, sells)}</span>}
        <Choices
          label={t.common.time}
          value={span}
          choices={spans.map((value) => ({ value, label: t.account.days(value) }))}
          onChange={setSpan}
        />
      </div>
      <svg viewBox={`0 ${-scale * gain} ${values.length} 100`} preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 0h${values.length}`} />
        {values.map((value, at) => {
          const height = value === 0 ? 0 : Math.max(1, scale * Math.abs(value));
          return (
            <rect
              key={days[at]?.day}
              class={value < 0 ? "is-loss" : ""}
              x={at + 0.1}
              width={0.8}
              y={value < 0 ? 0 : -height}
              height={height}
            >
              <title>{`${formatDay(days[at]?.day ?? "")}: ${shown(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="days-axis muted" aria-hidden="true">
        <span>{formatDay(days[0]?.day ?? "")}</span>
        <span>{t.time.today}</span>
      </div>
    </section>
  );
}
