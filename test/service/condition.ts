import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks until the answer is neither undefined nor false, less often once that has taken for long. Throws what the question throws, or
 * after `timeoutMs` what was waited for.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false>,
  timeoutMs = 100_000,
): Promise<Answer> {
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  while (elapsed() < timeoutMs) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(elapsed() < 4_000 ? 80 : 200);
  }
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
}
