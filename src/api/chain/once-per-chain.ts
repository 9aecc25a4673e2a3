import type { ChainSettings } from "../../../config/env.ts";

/** How long an answer counts that may become another one: an operator may have put a proxy there, and upgrade it. */
const passingMs = 60_000;

/**
 * Asks about each chain once, and again after a failure or when an answer that does not last has passed.
 *
 * @param lasts whether an answer stays what it is for good
 */
export function oncePerChain<Answer>(
  ask: (chain: ChainSettings) => Promise<Answer>,
  lasts: (answer: Answer) => boolean = () => true,
): (chain: ChainSettings) => Promise<Answer> {
  const asked = new Map<number, Promise<Answer>>();

  return (chain) => {
    const before = asked.get(chain.id);
    if (before !== undefined) return before;
    const asking = ask(chain);
    asked.set(chain.id, asking);
    const forget = () => asked.delete(chain.id);
    asking.then((answer) => {
      if (!lasts(answer)) setTimeout(forget, passingMs).unref();
    }, forget);
    return asking;
  };
}
