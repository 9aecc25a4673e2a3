/**
 * Shares one read among all callers that ask before it starts. No caller gets a result that is older than its call, and at
 * any time at most one read runs and one waits.
 */
export function singleFlight<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<Answer> | undefined;
  let next: Promise<Answer> | undefined;

  function start(): Promise<Answer> {
    const reading = read().finally(() => {
      if (running === reading) running = undefined;
    });
    running = reading;
    return reading;
  }

  return () => {
    // Between two readings the one that waits has not looked yet.
    if (running === undefined) return next ?? start();
    // It may have looked before this question.
    next ??= running.catch(leaveToItsCallers).then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}

/** A read that fails rejects for its own callers. The next one starts all the same. */
const leaveToItsCallers = () => {};
