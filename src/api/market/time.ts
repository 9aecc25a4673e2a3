/**
 * Formats seconds since 1970 as ISO 8601. A time beyond the range of Date, which only a hostile chain has, becomes the last one
 * in it.
 */
export function isoTime(seconds: string | number | bigint): string {
  const last = 8_640_000_000_000;
  return new Date(Math.min(Number(seconds), last) * 1_000).toISOString();
}
