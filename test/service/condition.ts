import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks until the answer is neither undefined nor false. Throws what the question throws, or after `timeoutMs` what
 * was waited for.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false>,
  timeoutMs = 100_000,
): Promise<Answer> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(50);
  }
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
}
