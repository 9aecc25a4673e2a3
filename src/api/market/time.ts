/** ISO 8601 from seconds since 1970. A time that no date can hold, which only a hostile chain has, becomes the last one. */
export function isoTime(seconds: string | number | bigint): string {
  const last = 8_640_000_000_000;
  return new Date(Math.min(Number(seconds), last) * 1_000).toISOString();
}
