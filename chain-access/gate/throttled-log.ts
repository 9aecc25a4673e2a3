/** Milliseconds after a line in which no more lines about the same subject are logged. */
const quietMs = 30_000;

/** Creates a log for events that may happen many times a second: at most one line per subject and interval. */
export function createThrottledLog(log: (line: string) => void) {
  const saidAt = new Map<string, number>();

  return (subject: string, what: string): void => {
    const now = performance.now();
    if (now - (saidAt.get(subject) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    saidAt.set(subject, now);
    log(`${subject} ${what}`);
  };
}
