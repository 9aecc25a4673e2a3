import type { EmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import type { Checksums } from "./checksums.ts";

/** A contender's traffic with its endpoint. */
type Traffic = {
  /** HTTP requests. */
  requests: number;
  /** JSON-RPC requests, counting each request of a batch, and how many of them were refused with 429. */
  elements: number;
  refused: number;
  /** The uncompressed size of the answers, in megabytes (10^6). */
  megabytes: number;
  byMethod: ReturnType<EmulatedEndpoint["counts"]["byMethod"]>;
};

/** A contender's run on a chain. Times are in seconds. */
export type Sample = {
  asked: Traffic;
  /** The share of the chain's blocks that it had synced when it was stopped; 1 if it was done. */
  share: number;
  /** `startUp` is the time from the start of the process until it is ready to sync (for Ponder, its HTTP server); `seconds` counts from then. */
  seconds: number;
  startUp: number;
  /** The tables' checksums, if the run was complete and there are tables. */
  checksums?: Checksums;
};

export function readTraffic({ counts }: EmulatedEndpoint): Traffic {
  const { requests, elements, refused, bytesOut } = counts.total();
  return { requests, elements, refused, megabytes: bytesOut / 1e6, byMethod: counts.byMethod() };
}

/** Extrapolates a stopped run to the whole chain. Throws if nothing was synced. */
export function extrapolate(sample: Sample): Sample {
  const { asked, share, seconds } = sample;
  if (!(share > 0)) throw new Error(`nothing was synced in ${seconds.toFixed(0)} s`);
  return {
    ...sample,
    seconds: seconds / share,
    asked: {
      ...asked,
      requests: asked.requests / share,
      elements: asked.elements / share,
      refused: asked.refused / share,
      megabytes: asked.megabytes / share,
    },
  };
}
