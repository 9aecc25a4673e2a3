import type { Endpoint } from "../endpoint/endpoint.ts";

/**
 * Tells for each endpoint whether it is the first time that its answer is doubted. An endpoint is only asked again when no
 * other has anything else to say, so that what it repeats is to be taken.
 */
export function doubtOnce(): (endpoint: Endpoint) => boolean {
  const doubted = new Set<Endpoint>();
  return (endpoint) => {
    const isFirst = !doubted.has(endpoint);
    doubted.add(endpoint);
    return isFirst;
  };
}
