/** Milliseconds for which nothing more is said of the same subject. */
const quietMs = 30_000;

/** Logs what may happen many times a second: of each subject one line, and the next only after a while. */
export function createSeldomLog(log: (line: string) => void) {
  const saidAt = new Map<string, number>();

  return (subject: string, what: string): void => {
    const now = performance.now();
    if (now - (saidAt.get(subject) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    saidAt.set(subject, now);
    log(`${subject} ${what}`);
  };
}
