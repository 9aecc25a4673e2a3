/** Tries per salt for four digits. */
export const meanAttempts = 16 ** 4;

/** Milliseconds within which the part `rank` of all salts is found at so many tries a second: an exponential distribution. */
export function expectedTime(rate: number, rank: number): number {
  return (1_000 * meanAttempts * Math.log(1 / (1 - rank))) / rate;
}
