import { chainId } from "../data/chain.ts";

/** Adds the current chain to a path of the explorer. */
export function withChain(path: string): string {
  if (chainId.value === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}chain=${chainId.value}`;
}
