import { defaultChainId } from "../../../config/chains.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { ProblemException } from "../http/problem.ts";

export type Chains = ReturnType<typeof createChains>;

/** The chains that are indexed. There is at least one. */
export function createChains(chains: ChainSettings[]) {
  const byDefault = defaultChainId(chains.map(({ id }) => id));

  return {
    all: chains,
    /** The chain with this id; without an id mainnet or, if that is not indexed, the first chain. Throws a 404 problem for other ids. */
    choose(chainId = byDefault): ChainSettings {
      const chain = chains.find(({ id }) => id === chainId);
      if (chain !== undefined) return chain;
      throw new ProblemException({
        status: 404,
        code: "chain_not_indexed",
        detail: `Chain ${chainId} is not indexed here. Indexed chains: ${chains.map(({ id }) => id).join(", ")}.`,
      });
    },
  };
}

/** How long an answer that may change is used: an operator may upgrade a proxy, for example. */
const temporaryMs = 60_000;

/**
 * Asks about each chain once, and again after a failure or once a temporary answer has expired.
 *
 * @param isPermanent whether an answer can never change
 */
export function cachePerChain<Answer>(
  ask: (chain: ChainSettings) => Promise<Answer>,
  isPermanent: (answer: Answer) => boolean = () => true,
): (chain: ChainSettings) => Promise<Answer> {
  const answers = new Map<number, Promise<Answer>>();

  return (chain) => {
    const cached = answers.get(chain.id);
    if (cached !== undefined) return cached;
    const answer = ask(chain);
    answers.set(chain.id, answer);
    const forget = () => answers.delete(chain.id);
    answer.then((result) => {
      if (!isPermanent(result)) setTimeout(forget, temporaryMs).unref();
    }, forget);
    return answer;
  };
}
