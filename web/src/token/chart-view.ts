import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChartEx,
  createSeriesMarkers,
  defaultHorzScaleBehavior,
  HistogramSeries,
  type IHorzScaleBehavior,
  type IPriceLine,
  LineSeries,
  LineStyle,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { formatNumber } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { type Bar, firstRange, type Gap, isBar, labelled, type Mark } from "./chart-data.ts";

export type ChartView = ReturnType<typeof createChartView>;

/** Older candles are requested when fewer than this are left of the ones in view. */
const prefetchCandles = 20;

type Scale = IHorzScaleBehavior<Time>;
type InternalTime = Parameters<Scale["formatHorzItem"]>[0];

/**
 * The scale of times, in the visitor's time zone: the library's own shows UTC. Candles keep their times, and only what is read of them is
 * shifted, each by its own offset, because the hour that summer time ends with comes twice.
 */
export class LocalTimeScale extends defaultHorzScaleBehavior() {
  #toLocal(time: InternalTime): InternalTime {
    const utc = Number(this.key(time));
    const offset = -60 * new Date(1_000 * utc).getTimezoneOffset();
    return this.convertHorzItemToInternal((utc + offset) as UTCTimestamp);
  }

  override formatHorzItem(time: InternalTime): string {
    return super.formatHorzItem(this.#toLocal(time));
  }

  override formatTickmark(...[mark, localization]: Parameters<Scale["formatTickmark"]>): string {
    return super.formatTickmark({ ...mark, time: this.#toLocal(mark.time) }, localization);
  }

  /** Says which times begin an hour, a day, a month or a year. */
  override fillWeightsForPoints(...[points, start]: Parameters<Scale["fillWeightsForPoints"]>): void {
    const local = points.map((point) => ({ ...point, time: this.#toLocal(point.time) }));
    super.fillWeightsForPoints(local, start);
    for (const [at, { timeWeight }] of local.entries()) Object.assign(points[at] ?? {}, { timeWeight });
  }
}

/** The most moving averages that are drawn. */
const maxAverages = 2;

/** A moving average's value at each bar. */
type Average = { at: readonly (number | undefined)[] };

/** The width of a mark's label, in pixels. */
const labelPixels = 30;

type Listener = {
  /** Called when the oldest candles come into view. */
  onNearStart: () => void;
  /** Called with the index of the candle under the crosshair; undefined if there is none. */
  onHover: (at: number | undefined) => void;
};

/** The chart itself. In a separate file, loaded on demand, because its library is larger than the rest of the page. */
export function createChartView(place: HTMLElement, { onNearStart, onHover }: Listener) {
  /** Prices are multiplied by this, because the library's smallest step is a billionth. */
  let scale = 1;
  const priceFormat = {
    type: "custom",
    minMove: 0.0001,
    // The price scale extends below zero, next to the volume.
    formatter: (value: number) => (value < 0 ? "" : formatNumber(value / scale)),
  } as const;
  const chart = createChartEx<Time, LocalTimeScale>(place, new LocalTimeScale(), {
    autoSize: true,
    layout: { attributionLogo: false, fontFamily: getComputedStyle(place).fontFamily, fontSize: 11 },
    // Not every browser names its language as the library expects.
    localization: { locale: t.locale, dateFormat: "dd MMM 'yy" },
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      scaleMargins: { top: 0.14, bottom: 0.26 },
    },
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
  const lines = Array.from({ length: maxAverages }, () =>
    chart.addSeries(LineSeries, {
      lineWidth: 1,
      priceFormat,
      lastValueVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
    }),
  );
  const markers = createSeriesMarkers(prices, []);
  let shown: readonly (Bar | Gap)[] = [];
  let marks: readonly Mark[] = [];
  let graduatedAt: number | undefined;
  let cost: number | undefined;
  let costLine: IPriceLine | undefined;

  const indexOf = (time: number) => shown.findIndex((bar) => bar.time === time);

  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < prefetchCandles) onNearStart();
    mark();
  });
  chart.subscribeCrosshairMove(({ logical }) => {
    const at = logical === undefined ? undefined : Math.round(logical);
    onHover(at !== undefined && isBar(shown[at]) ? at : undefined);
  });

  /** Resolves a colour of the theme by applying it to an element, because the canvas doesn't support light-dark(). */
  const colour = (name: string) => {
    place.style.color = name;
    const { color } = getComputedStyle(place);
    place.style.color = "";
    return color;
  };
  const themed = (name: string) => colour(`var(${name})`);
  let tints = { up: "", down: "" };
  function paint(): void {
    const [up = "", down = "", line = "", muted = ""] = ["--up", "--down", "--line", "--muted"].map(themed);
    chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: "transparent" }, textColor: muted },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
    });
    prices.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    for (const [at, line] of lines.entries()) {
      line.applyOptions({ color: themed(`--average-${at + 1}`) });
    }
    tints = { up: translucent(up), down: translucent(down) };
    drawVolumes();
    drawCost();
    mark();
  }
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  darkness.addEventListener("change", paint);

  function drawCost(): void {
    if (costLine !== undefined) prices.removePriceLine(costLine);
    costLine = undefined;
    if (cost === undefined || shown.length === 0) return;
    const [price, color, title] = [cost * scale, themed("--accent-text"), t.token.chart.cost];
    costLine = prices.createPriceLine({ price, color, title, lineWidth: 1, lineStyle: LineStyle.Dashed });
  }

  function drawVolumes(): void {
    volumes.setData(
      shown.map((bar) => {
        const time = bar.time as UTCTimestamp;
        if (!isBar(bar)) return { time };
        return { time, value: bar.volume, color: bar.close < bar.open ? tints.down : tints.up };
      }),
    );
  }

  function mark(): void {
    const placed = marks.map((one) => ({ ...one, at: indexOf(one.time) }));
    const graduation = shown.findLastIndex(({ time }) => graduatedAt !== undefined && time <= graduatedAt);
    const hasRoom = labelled(placed, labelPixels / chart.timeScale().options().barSpacing);
    const all = placed.map(
      (one): SeriesMarker<UTCTimestamp> => ({
        time: one.time as UTCTimestamp,
        position: one.side === "buy" ? "belowBar" : "aboveBar",
        shape: one.side === "buy" ? "arrowUp" : "arrowDown",
        color: themed(one.who === "you" ? "--accent-text" : one.side === "buy" ? "--up" : "--down"),
        // Beside the name of the graduation there is no room for others.
        text: hasRoom.has(one) && !(one.side === "sell" && one.at === graduation) ? names[one.who] : "",
      }),
    );
    const listed = shown[graduation];
    if (listed !== undefined) {
      all.push({
        time: listed.time as UTCTimestamp,
        position: "aboveBar",
        shape: "circle",
        color: themed("--accent-text"),
        text: t.common.listed,
      });
    }
    markers.setMarkers(all.sort((one, other) => one.time - other.time));
  }
  paint();

  return {
    paint,
    /** Shows these bars. With `isNew` the view begins anew; otherwise it doesn't move. */
    show(bars: readonly (Bar | Gap)[], averages: readonly Average[], { isNew }: { isNew: boolean }): void {
      const last = bars.findLast(isBar);
      scale = 10 ** Math.max(0, 2 - Math.floor(Math.log10(last?.close || 1)));
      // The library keeps the view by candle index, so that it must be shifted when older candles are put in front.
      const [first] = shown;
      const older = first === undefined ? 0 : bars.findIndex(({ time }) => time === first.time);
      const range = chart.timeScale().getVisibleLogicalRange();
      shown = bars;
      prices.setData(
        bars.map((bar) => {
          const time = bar.time as UTCTimestamp;
          if (!isBar(bar)) return { time };
          const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((one) => one * scale);
          return { time, open, high, low, close } as Bar & { time: UTCTimestamp };
        }),
      );
      drawVolumes();
      drawCost();
      for (const [at, line] of lines.entries()) {
        const values = averages[at]?.at ?? [];
        line.setData(
          values.map((value, index) => {
            const time = (bars[index]?.time ?? 0) as UTCTimestamp;
            return value === undefined ? { time } : { time, value: value * scale };
          }),
        );
      }
      if (isNew) {
        chart.timeScale().setVisibleLogicalRange(firstRange(bars.length, place.clientWidth));
      } else if (range !== null && older > 0) {
        chart.timeScale().setVisibleLogicalRange({ from: range.from + older, to: range.to + older });
      }
      mark();
    },
    /** Draws a line at what the visitor's tokens cost on average, in the unit of the bars. */
    showCost(next: number | undefined): void {
      cost = next;
      drawCost();
    },
    mark(next: { marks: readonly Mark[]; graduatedAt: number | undefined }): void {
      ({ marks, graduatedAt } = next);
      mark();
    },
    remove(): void {
      darkness.removeEventListener("change", paint);
      chart.remove();
    },
  };
}

const names = { you: t.token.chart.you, creator: t.token.chart.creator };

/** A colour as the browser computes it, `rgb(1, 2, 3)`, with less opacity. */
const translucent = (colour: string) => colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.45)");
