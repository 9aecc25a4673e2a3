import type { Endpoint } from "../endpoint/endpoint.ts";

/**
 * Creates a function that returns whether an endpoint's answer is doubted for the first time. An endpoint is only asked again
 * if no other answers differently, so an answer that it repeats has to be accepted.
 */
export function doubtOnce(): (endpoint: Endpoint) => boolean {
  const doubted = new Set<Endpoint>();
  return (endpoint) => {
    const isFirst = !doubted.has(endpoint);
    doubted.add(endpoint);
    return isFirst;
  };
}
