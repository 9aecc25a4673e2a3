import type { EmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import type { Checksums } from "./checksums.ts";

/** What a contender asked of its endpoint. */
type Asked = {
  /** Over HTTP. */
  requests: number;
  /** JSON-RPC requests, those of batches one by one, and how many of them were refused with 429. */
  elements: number;
  refused: number;
  /** Of answers, in megabytes (10^6), uncompressed. */
  megabytes: number;
  byMethod: ReturnType<EmulatedEndpoint["counts"]["byMethod"]>;
};

/** A run of a contender on a chain. Times in seconds. */
export type Sample = {
  asked: Asked;
  /** The share of the chain's blocks that it had when it was stopped, 1 if it was done. */
  share: number;
  /** From the moment it could begin, which is that of Ponder's HTTP server, and from the start of its process to that moment. */
  seconds: number;
  startUp: number;
  /** Of the tables, if it was done and has any. */
  checksums?: Checksums;
};

export function askedOf({ counts }: EmulatedEndpoint): Asked {
  const { requests, elements, refused, bytesOut } = counts.total();
  return { requests, elements, refused, megabytes: bytesOut / 1e6, byMethod: counts.byMethod() };
}

/** Extrapolates a run that was stopped to the whole chain. Throws if there is nothing to begin with. */
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
