/** The mean number of tries for four hexadecimal digits. */
export const meanAttempts = 16 ** 4;

/** The milliseconds within which the share `rank` of all salts is found at this rate of tries per second: an exponential distribution. */
export function expectedTime(rate: number, rank: number): number {
  return (1_000 * meanAttempts * Math.log(1 / (1 - rank))) / rate;
}
