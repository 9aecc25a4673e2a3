import type { ComponentChildren } from "preact";
import { coin } from "../data/chain.ts";
import { useReloadAfter } from "../data/resource.ts";
import { useStream } from "../data/use-stream.ts";
import { formatCount, groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Choices } from "../parts/choices.tsx";
import { Fact } from "../parts/fact.tsx";
import { Rows } from "../parts/rows.tsx";
import { Age } from "../parts/time.tsx";
import { navigate, parameter, withParameters } from "../routing/router.ts";
import { PageProblem, Title } from "../shell/page-head.tsx";
import { DayChart, DayTable, measures } from "./day-chart.tsx";
import { type Stats, useDays, useStats } from "./stats.ts";

/** The numbers are reloaded at most this often while events arrive. */
const minIntervalMs = 5_000;

const spans = ["5m", "1h", "6h", "24h"] as const;

/** Narrow screens leave out which of the trades were buys and sells. */
const activityColumns = () => [
  t.stats.measures.volume,
  t.stats.measures.trades,
  { name: t.stats.buys, isExtra: true },
  { name: t.stats.sells, isExtra: true },
  t.stats.measures.tokensCreated,
  t.stats.measures.tokensGraduated,
];

/** The launchpad in numbers. */
export default function StatsPage() {
  const stats = useStats();
  const days = useDays();
  const measure = measures.find((one) => one === parameter("by")) ?? "volume";
  const reload = useReloadAfter(minIntervalMs, [stats, days]);
  useStream({}, { onEvent: reload, onGap: (isBrief) => isBrief || reload() });
  const shown = stats.data.value;
  if (shown === undefined && stats.error.value !== undefined) {
    return <PageProblem error={stats.error.value} retry={() => void stats.reload()} />;
  }
  return (
    <>
      <Title>{t.shell.stats}</Title>
      <h1 class="page-title">{t.shell.stats}</h1>
      <Totals stats={shown} />
      <section class="panel days-panel" aria-label={t.stats.lastDays}>
        <Choices
          label={t.stats.show}
          value={measure}
          choices={measures.map((value) => ({ value, label: t.stats.measures[value] }))}
          onChange={(value) =>
            navigate(withParameters({ by: value === "volume" ? undefined : value }), { replace: true })
          }
        />
        <DayChart days={days.data.value?.days} measure={measure} />
        {days.data.value !== undefined && (
          <details class="days-details">
            <summary>{t.stats.eachDay}</summary>
            <DayTable days={days.data.value.days} />
          </details>
        )}
      </section>
      {shown === undefined ? (
        <div class="skeleton rows-skeleton" />
      ) : (
        <section class="panel" aria-label={t.stats.activity}>
          <Rows
            caption={t.stats.activityCaption}
            columns={[t.common.time, ...activityColumns()]}
            kind="is-numbers"
          >
            {spans.map((span) => {
              const { volumeBnb, volumeUsd, trades, buys, sells, tokensCreated, tokensGraduated } =
                shown.windows[span];
              return (
                <Line key={span} name={t.stats.spans[span]}>
                  <Amount bnb={volumeBnb} usd={volumeUsd} />
                  {[trades, buys, sells, tokensCreated, tokensGraduated].map(formatCount)}
                </Line>
              );
            })}
            <Line name={t.stats.toDate}>
              <Amount bnb={shown.volumeBnb} usd={shown.volumeUsd} />
              {[shown.trades, shown.buys, shown.sells, shown.tokens, shown.graduatedTokens].map(formatCount)}
            </Line>
          </Rows>
          <p class="panel-note muted">
            {t.stats.note(
              formatCount(shown.registeredTokens),
              formatCount(shown.tokens),
              groupDigits(shown.asOf.block),
              <Age time={shown.asOf.time} isSentence />,
            )}
          </p>
        </section>
      )}
    </>
  );
}

function Line({ name, children }: { name: string; children: [ComponentChildren, string[]] }) {
  const [volume, counts] = children;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{volume}</td>
      {counts.map((count, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
        <td key={at} class={`number ${at === 1 || at === 2 ? "is-extra" : ""}`}>
          {count}
        </td>
      ))}
    </tr>
  );
}

/** The launchpad's key figures in one line. */
function Totals({ stats }: { stats: Stats | undefined }) {
  const day = stats?.windows["24h"];
  return (
    <dl class="totals" aria-busy={stats === undefined}>
      <Fact name={t.common.volume24h}>{day && <Amount bnb={day.volumeBnb} usd={day.volumeUsd} />}</Fact>
      <Fact name={t.stats.trades24h} class="number">
        {day && formatCount(day.trades)}
      </Fact>
      <Fact name={t.stats.created24h} class="number">
        {day && formatCount(day.tokensCreated)}
      </Fact>
      <Fact name={t.common.graduated} class="number">
        {stats && formatCount(stats.graduatedTokens)}
        {stats && <span class="unit">{t.stats.ofAll(formatCount(stats.tokens))}</span>}
      </Fact>
      <Fact name={t.stats.inCurves}>
        {stats && <Amount bnb={stats.inCurvesBnb} usd={stats.inCurvesUsd} />}
      </Fact>
      {stats?.bnbUsd !== undefined && (
        <Fact name={coin.value} class="number">
          ${groupDigits(Number(stats.bnbUsd), { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
        </Fact>
      )}
    </dl>
  );
}
