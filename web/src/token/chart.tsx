import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { chartAverages, chartValue, currency, theme } from "../data/settings.ts";
import { formatNumber, groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { asUsd, Change } from "../parts/amount.tsx";
import { Choices } from "../parts/choices.tsx";
import { IconButton } from "../parts/icons.tsx";
import { ExternalLink } from "../parts/links.tsx";
import { useRetry } from "../parts/problem.tsx";
import { navigate, parameter, withParameters } from "../routing/router.ts";
import { account } from "../wallet/connection.ts";
import {
  type Bar,
  createCandleSeries,
  defaultInterval,
  graduationTime,
  intervalLabel,
  isBar,
  movingAverage,
  pageSize,
  toBars,
  toMarks,
} from "./chart-data.ts";
import { useMarkedTrades } from "./chart-trades.ts";
import type { ChartView } from "./chart-view.ts";
import {
  type Candle,
  type CandleInterval,
  type Changes,
  candleSeconds,
  type Events,
  readCandles,
  type TokenDetails,
  useChanges,
  useLiquidity,
} from "./data.ts";
import { useAverageCost } from "./position.tsx";

const intervals = Object.keys(candleSeconds) as CandleInterval[];

export type ChartProps = {
  token: TokenDetails;
  changes: Changes;
  events: Events;
};

const values = () =>
  [
    { value: "marketcap", label: t.token.chart.marketCap },
    { value: "price", label: t.common.price },
  ] as const;

/** The lengths of the moving averages, as on most exchanges. */
const averageLengths = [7, 25] as const;

/** Price or market cap over time, on the curve and on the DEX, as one series. */
export function Chart({ token, changes, events }: ChartProps) {
  const liquidity = useLiquidity(token);
  const trades = useMarkedTrades(token, events);
  const readNewestCandles = useRef<() => void>(undefined);
  const figure = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<ChartView>(undefined);
  /** The candles, and whether they are others than before, of which the newest are to be shown. */
  const [shown, setShown] = useState<{ candles: Candle[]; isNew: boolean }>({ candles: [], isNew: true });
  const hovered = useSignal<number | undefined>(undefined);
  const [state, setState] = useState<"loading" | "shown">("loading");
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useRetry(failure, () => setTries(tries + 1));
  const [usual] = useState(() => defaultInterval(token.createdAt));
  const interval = intervals.find((offered) => offered === parameter("interval")) ?? usual;
  const inUsd = currency.value === "usd" && token.priceUsd !== undefined;
  const hasAverages = chartAverages.value === "on";
  const { mint } = token;
  const supply = Number(token.marketCapBnb) / Number(token.priceBnb);
  const asMarketCap = chartValue.value === "marketcap" && Number.isFinite(supply) && supply > 0;

  useEffect(() => {
    let isStale = false;
    const series = createCandleSeries({
      read: async (limit, to) => (await readCandles(mint, interval, limit, to)).candles,
      length: candleSeconds[interval],
      show: (candles, isNew) => setShown({ candles, isNew }),
    });
    const begin = async () => {
      const [{ createChartView }, answer] = await Promise.all([
        import("./chart-view.ts"),
        readCandles(mint, interval, pageSize),
      ]);
      if (isStale || place.current === null) return;
      view.current = createChartView(place.current, {
        onNearStart: () => void series.readOlder(),
        onHover: (at) => {
          hovered.value = at;
        },
      });
      series.begin(answer.candles);
      setState("shown");
    };
    setState("loading");
    setFailure(undefined);
    begin().catch((error: unknown) => !isStale && setFailure(error));
    readNewestCandles.current = () => void series.readNewest();
    return () => {
      isStale = true;
      series.stop();
      view.current?.remove();
      view.current = undefined;
      hovered.value = undefined;
    };
  }, [mint, interval, tries]);

  useChanges(changes, () => {
    readNewestCandles.current?.();
    void liquidity.reload();
  });
  const bars = useMemo(
    () => toBars(shown.candles, { inUsd, factor: asMarketCap ? supply : 1 }),
    [shown, inUsd, asMarketCap, supply],
  );
  const averages = useMemo(
    () => (hasAverages ? averageLengths.map((length) => ({ length, at: movingAverage(bars, length) })) : []),
    [bars, hasAverages],
  );
  const isNew = useRef<object>(undefined);
  useEffect(() => {
    view.current?.show(bars, averages, { isNew: shown.isNew && isNew.current !== shown });
    isNew.current = shown;
  }, [bars, averages, state]);
  const { bnb, usd } = useAverageCost(mint, account.value) ?? {};
  const costEach = inUsd ? usd : bnb;
  const cost = costEach && Number(costEach) * (asMarketCap ? supply : 1);
  useEffect(() => {
    view.current?.showCost(cost || undefined);
  }, [cost, state]);
  const graduatedAt = graduationTime(token, liquidity.data.value?.changes);
  useEffect(() => {
    view.current?.mark({ marks: toMarks(trades, bars), graduatedAt });
  }, [trades, bars, graduatedAt, state]);
  const chosenTheme = theme.value;
  useEffect(() => {
    if (chosenTheme) view.current?.paint();
  }, [chosenTheme]);

  const last = bars.findLastIndex(isBar);
  const at = hovered.value !== undefined && isBar(bars[hovered.value]) ? hovered.value : last;
  const bar = bars[at];
  return (
    <figure class="panel chart" ref={figure}>
      <figcaption class="chart-head">
        <span class="visually-hidden">
          {t.token.chart.titles[asMarketCap ? "marketcap" : "price"]} {chartSummary(shown.candles, inUsd)}
        </span>
        <Choices
          label={t.token.chart.candles}
          value={interval}
          choices={intervals.map((value) => ({ value, label: intervalLabel(value, t.token.chart.units) }))}
          onChange={(value) => navigate(withParameters({ interval: value }), { replace: true })}
        />
        <span class="chart-tools">
          <Choices
            label={t.token.chart.values}
            value={asMarketCap ? "marketcap" : "price"}
            choices={values()}
            onChange={(value) => {
              chartValue.value = value;
            }}
          />
          <button
            type="button"
            class={`chart-tool ${hasAverages ? "is-on" : ""}`}
            aria-pressed={hasAverages}
            title={t.token.chart.averages}
            onClick={() => {
              chartAverages.value = hasAverages ? "off" : "on";
            }}
          >
            MA
          </button>
          {document.fullscreenEnabled && (
            <IconButton
              icon="expand"
              label={t.token.chart.fullScreen}
              onClick={() => void toggleFullScreen(figure.current)}
            />
          )}
        </span>
      </figcaption>
      <div class="chart-frame">
        {isBar(bar) && (
          <ChartLegend
            bar={bar}
            inUsd={inUsd}
            averages={averages.map(({ length, at: values }) => ({ length, value: values[at] }))}
          />
        )}
        <div class="chart-place" ref={place} aria-hidden="true">
          {failure !== undefined ? (
            <p class="muted">{t.token.chart.failed}</p>
          ) : (
            state === "loading" && <div class="skeleton chart-skeleton" />
          )}
        </div>
      </div>
      <p class="chart-credit muted">
        {t.token.chart.credit((name) => (
          <ExternalLink href="https://www.tradingview.com/">{name}</ExternalLink>
        ))}
      </p>
    </figure>
  );
}

/** Shows an element on the whole screen, or ends that. */
const toggleFullScreen = (element: HTMLElement | null) =>
  document.fullscreenElement === null ? element?.requestFullscreen() : document.exitFullscreen();

/** The chart in words, for those who can't see it. */
function chartSummary(candles: Candle[], inUsd: boolean): string {
  const [first] = candles;
  const last = candles.at(-1);
  if (first === undefined || last === undefined) return "";
  const price = (bnb: string, usd: string | undefined) =>
    inUsd && usd !== undefined
      ? t.token.chart.dollars(formatNumber(usd))
      : `${formatNumber(bnb)} ${coin.value}`;
  const highest = candles.reduce((best, next) => (Number(next.highBnb) > Number(best.highBnb) ? next : best));
  return t.token.chart.summary(
    groupDigits(candles.length),
    price(first.openBnb, first.openUsd),
    price(highest.highBnb, highest.highUsd),
    price(last.closeBnb, last.closeUsd),
  );
}

type LegendProps = {
  bar: Bar;
  inUsd: boolean;
  /** The moving averages at this bar, by their length; none if they are not shown. */
  averages: readonly { length: number; value: number | undefined }[];
};

/** The values of the candle under the crosshair, or of the latest one. */
function ChartLegend({ bar, inUsd, averages }: LegendProps) {
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
