import { chainId } from "../data/chain.ts";

/** A path of the explorer on the chain that is shown. */
export function withChain(path: string): string {
  if (chainId.value === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}chain=${chainId.value}`;
}
