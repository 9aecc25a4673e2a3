import { setTimeout as delay } from "node:timers/promises";

/** Asks again while the answer is 503, or another of these statuses, with which a busy machine changes nothing. */
export const untilServed = <Answer extends { status: number }>(
  what: string,
  ask: () => Promise<Answer>,
  busy = [503],
) =>
  until(what, async () => {
    const answer = await ask();
    return !busy.includes(answer.status) && answer;
  });

/**
 * Polls until the answer is neither undefined nor false, the less often the longer it takes: each answer costs the service time.
 * Throws whatever `ask` throws, or after `timeoutMs` an error that names what was waited for.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false>,
  timeoutMs = 300_000,
): Promise<Answer> {
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  while (elapsed() < timeoutMs) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(Math.min(30 + elapsed() / 5, 300));
  }
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
}
