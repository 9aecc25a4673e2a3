import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type UTCTimestamp,
} from "lightweight-charts";
import { formatNumber } from "../format/number.ts";
import type { Candle } from "./chart.tsx";

export type ChartView = ReturnType<typeof createChartView>;

/** Older candles are requested when fewer than this are left of the ones in view. */
const prefetchCandles = 20;

const times = (candles: Candle[]) => candles.map(({ time }) => time as UTCTimestamp);

/** The offset in seconds that makes the chart, which shows UTC, show the visitor's local time. */
const zone = -60 * new Date().getTimezoneOffset();

/** The chart itself. In a separate file, loaded on demand, because its library is larger than the rest of the page. */
export function createChartView(place: HTMLElement, onNearStart: () => void) {
  /** Prices are multiplied by this, because the library's smallest step is a billionth. */
  let scale = 1;
  const priceFormat = {
    type: "custom",
    minMove: 0.0001,
    // The price scale extends below zero, next to the volume.
    formatter: (value: number) => (value < 0 ? "" : formatNumber(value / scale)),
  } as const;
  const chart = createChart(place, {
    autoSize: true,
    layout: { attributionLogo: false, fontFamily: getComputedStyle(place).fontFamily, fontSize: 11 },
    // The explorer is in English, and not every browser names its language as the library expects.
    localization: { locale: "en-GB" },
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.26 } },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false, minBarSpacing: 0.5 },
    handleScroll: { vertTouchDrag: false },
  });
  const prices = chart.addSeries(CandlestickSeries, { borderVisible: false, priceFormat });
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: "volume",
    priceFormat: { type: "custom", minMove: 0.000001, formatter: (value: number) => formatNumber(value, 3) },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } });
  const markers = createSeriesMarkers(prices, []);
  let shown: Candle[] = [];
  let graduatedAt: number | undefined;

  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < prefetchCandles) onNearStart();
  });

  /** Resolves a colour of the theme by applying it to an element, because the canvas doesn't support light-dark(). */
  const colour = (name: string) => {
    place.style.color = `var(${name})`;
    const { color } = getComputedStyle(place);
    place.style.color = "";
    return color;
  };
  function paint(): void {
    const [up, down, line, muted] = ["--up", "--down", "--line", "--muted"].map(colour);
    chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: "transparent" }, textColor: muted },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
    });
    prices.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    volumes.applyOptions({ color: line });
  }
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  darkness.addEventListener("change", paint);
  paint();

  function mark(): void {
    const at =
      graduatedAt === undefined ? undefined : shown.findLast(({ time }) => time <= (graduatedAt ?? 0));
    if (at === undefined) {
      markers.setMarkers([]);
      return;
    }
    const color = colour("--accent-text");
    const time = (at.time + zone) as UTCTimestamp;
    markers.setMarkers([
      { time, position: "aboveBar", shape: "arrowDown", color, text: "Listed on the DEX" },
    ]);
  }

  return {
    paint,
    /** Shows these candles. With `isNew` the newest ones fill the chart; otherwise the view doesn't move. */
    show(candles: Candle[], { inUsd, isNew }: { inUsd: boolean; isNew: boolean }): void {
      const hasUsd = inUsd && candles.some(({ closeUsd }) => closeUsd !== undefined);
      const last = candles.findLast(({ closeUsd }) => !hasUsd || closeUsd !== undefined);
      const price = Number((hasUsd ? last?.closeUsd : last?.closeBnb) ?? 1);
      scale = 10 ** Math.max(0, 2 - Math.floor(Math.log10(price)));
      const at = (bnb: string, usd: string | undefined) => scale * Number(hasUsd ? usd : bnb);
      // The library keeps the view by candle index, so that it must be shifted when older candles are put in front.
      const older = shown.length === 0 ? 0 : times(candles).indexOf((shown[0]?.time ?? 0) as UTCTimestamp);
      const range = chart.timeScale().getVisibleLogicalRange();
      prices.setData(
        candles.map((candle) => {
          const time = (candle.time + zone) as UTCTimestamp;
          if (hasUsd && candle.closeUsd === undefined) return { time };
          const open = at(candle.openBnb, candle.openUsd);
          const high = at(candle.highBnb, candle.highUsd);
          return {
            time,
            open,
            high,
            low: at(candle.lowBnb, candle.lowUsd),
            close: at(candle.closeBnb, candle.closeUsd),
          };
        }),
      );
      volumes.setData(
        candles.map((candle) => ({
          time: (candle.time + zone) as UTCTimestamp,
          value: Number(hasUsd ? (candle.volumeUsd ?? 0) : candle.volumeBnb),
        })),
      );
      shown = candles;
      if (isNew) {
        const bars = Math.max(20, Math.floor(place.clientWidth / 7));
        chart.timeScale().setVisibleLogicalRange({ from: candles.length - bars, to: candles.length + 3 });
      } else if (range !== null && older > 0) {
        chart.timeScale().setVisibleLogicalRange({ from: range.from + older, to: range.to + older });
      }
      mark();
    },
    markGraduation(time: number | undefined): void {
      graduatedAt = time;
      mark();
    },
    remove(): void {
      darkness.removeEventListener("change", paint);
      chart.remove();
    },
  };
}
