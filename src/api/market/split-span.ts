/** A span of time from `from` (inclusive) to `to` (exclusive), in seconds since 1970. */
export type Span = { from: number; to: number };

/** The parts of a span that whole candles cover, and the remainders. They don't overlap, and add up to the span. */
export type SplitSpan = {
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
