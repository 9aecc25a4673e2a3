/** The quantile `rank` (0 to 1) of the values, with linear interpolation. */
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
