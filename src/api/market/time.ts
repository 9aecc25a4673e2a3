/**
 * Formats seconds since 1970 as ISO 8601. A time beyond the range of Date, which only a hostile chain has, becomes the last one
 * in it.
 */
export function isoTime(seconds: string | number | bigint): string {
  const last = 8_640_000_000_000;
  return new Date(Math.min(Number(seconds), last) * 1_000).toISOString();
}

export const daySeconds = 86_400;

/** Formats the day in UTC that contains a time in seconds since 1970, such as 2026-01-01. */
export function isoDay(seconds: number): string {
  return isoTime(seconds).slice(0, "2026-01-01".length);
}

/** The shortest first. */
export const windowNames = ["5m", "1h", "6h", "24h"] as const;

type WindowName = (typeof windowNames)[number];

/** The lengths of windows, in seconds. A window ends with the chain's last indexed block. */
export const windowSeconds: Record<WindowName, number> = {
  "5m": 300,
  "1h": 3_600,
  "6h": 21_600,
  "24h": 86_400,
};

/** Builds an object with a value for each window. */
export function perWindow<Value>(
  value: (name: WindowName, index: number) => Value,
): Record<WindowName, Value> {
  return { "5m": value("5m", 0), "1h": value("1h", 1), "6h": value("6h", 2), "24h": value("24h", 3) };
}

/** A span of time from `from` (inclusive) to `to` (exclusive), in seconds since 1970. */
export type Span = { from: number; to: number };

/** The parts of a span that whole candles cover, and the remainders. They don't overlap, and add up to the span. */
type SplitSpan = {
  /** Covered by 1h candles that begin in it. */
  hours: Span;
  /** Covered by 1m candles that begin in them. */
  minutes: [Span, Span];
  /** Under a minute each. */
  rests: [Span, Span];
};

/** Splits a span into whole candles and remainders, so that few rows cover it, however many trades there are. */
export function splitSpan({ from, to }: Span): SplitSpan {
  const [firstMinute, lastMinute] = inner({ from, to }, 60);
  const [firstHour, lastHour] = inner({ from: firstMinute, to: lastMinute }, 3_600);
  return {
    hours: { from: firstHour, to: lastHour },
    minutes: [
      { from: firstMinute, to: firstHour },
      { from: lastHour, to: lastMinute },
    ],
    rests: [
      { from, to: firstMinute },
      { from: lastMinute, to },
    ],
  };
}

/** The first and the last multiple of `length` inside the span. If nothing lies between them: its end twice, an empty span. */
function inner({ from, to }: Span, length: number): [number, number] {
  const first = Math.ceil(from / length) * length;
  const last = Math.floor(to / length) * length;
  return first < last ? [first, last] : [to, to];
}
