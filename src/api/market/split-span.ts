/** Times from `from` up to, but without, `to`. In seconds since 1970. */
export type Span = { from: number; to: number };

/** The parts of a span that candles cover as a whole, and the rest. Together they are the span, each moment once. */
export type SplitSpan = {
  /** Covered by 1h candles that begin in it. */
  hours: Span;
  /** Covered by 1m candles that begin in them. */
  minutes: [Span, Span];
  /** Under a minute each. */
  rests: [Span, Span];
};

/** Divides a span so that few rows tell of it, however many trades there are. */
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

/** The multiples of `length` next to the ends, inside; where there are none, the end twice: nothing between them. */
function inner({ from, to }: Span, length: number): [number, number] {
  const first = Math.ceil(from / length) * length;
  const last = Math.floor(to / length) * length;
  return first < last ? [first, last] : [to, to];
}
