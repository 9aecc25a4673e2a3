/** Tries per salt for four digits. */
export const meanAttempts = 16 ** 4;

/** The value below which the part `rank` (0 to 1) of the values lies. */
export function quantile(values: number[], rank: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const place = rank * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** Milliseconds within which the part `rank` of all salts is found at so many tries a second: an exponential distribution. */
export function expectedTime(rate: number, rank: number): number {
  return (1_000 * meanAttempts * Math.log(1 / (1 - rank))) / rate;
}
