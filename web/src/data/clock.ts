/* The time by the service's clock, where the device's is wrong: an age, or a signature, would be wrong too. */

/** How far the device's clock may be from the service's before it is taken to be wrong. */
const maxSkewMs = 60_000;

/**
 * Milliseconds that the device's clock is behind the service's; 0 if it is right, or if the answer doesn't say.
 *
 * @param headers of an answer of the service that has just arrived
 */
export function clockSkew(headers: Headers, now: number): number {
  const served = Date.parse(headers.get("date") ?? "") + 1_000 * Number(headers.get("age") ?? 0);
  const skew = served - now;
  // False without a date.
  return Math.abs(skew) > maxSkewMs ? skew : 0;
}

let skewMs = 0;

/** Takes the service's clock from an answer that has just arrived. */
export function setClock(headers: Headers): void {
  skewMs = clockSkew(headers, Date.now());
}

/** The time, in milliseconds since 1970. */
export const currentTime = (): number => Date.now() + skewMs;
