import type { ChainSettings } from "../../../config/env.ts";

/** How long an answer that may change is used: an operator may upgrade a proxy, for example. */
const temporaryMs = 60_000;

/**
 * Asks about each chain once, and again after a failure or once a temporary answer has expired.
 *
 * @param isPermanent whether an answer can never change
 */
export function oncePerChain<Answer>(
  ask: (chain: ChainSettings) => Promise<Answer>,
  isPermanent: (answer: Answer) => boolean = () => true,
): (chain: ChainSettings) => Promise<Answer> {
  const answers = new Map<number, Promise<Answer>>();

  return (chain) => {
    const known = answers.get(chain.id);
    if (known !== undefined) return known;
    const answer = ask(chain);
    answers.set(chain.id, answer);
    const forget = () => answers.delete(chain.id);
    answer.then((result) => {
      if (!isPermanent(result)) setTimeout(forget, temporaryMs).unref();
    }, forget);
    return answer;
  };
}
