/**
 * Shares one reading among all who ask for it before it begins: nobody gets an answer that is older than their
 * question, and however many ask at once, no more than one reading runs and one waits.
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

/** A reading that fails tells those who asked for it; the next one begins all the same. */
const leaveToItsCallers = () => {};
