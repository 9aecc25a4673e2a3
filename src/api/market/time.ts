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
