import type { ChainSettings } from "../../../config/env.ts";
import { ProblemException } from "../http/problem.ts";

export type Chains = ReturnType<typeof createChains>;

/** The chains that are indexed. There is at least one. */
export function createChains(chains: ChainSettings[]) {
  const byDefault = chains.find(({ id }) => id === 56) ?? chains[0];

  return {
    all: chains,
    /** The chain that a request means: the one that it names, or mainnet, or the one that is indexed. */
    choose(chainId: number | undefined): ChainSettings {
      const chosen = chainId === undefined ? byDefault : chains.find(({ id }) => id === chainId);
      if (chosen !== undefined) return chosen;
      throw new ProblemException({
        status: 404,
        code: "chain_not_indexed",
        title: "Chain not indexed",
        detail: `Chain ${chainId} is not indexed here. These are: ${chains.map(({ id }) => id).join(", ")}.`,
      });
    },
  };
}
