/** Returns a function that logs its text, at most once per interval. */
export function createProgress(log: (line: string) => void, intervalMs = 5_000): (text: string) => void {
  let loggedAt = performance.now();
  return (text) => {
    if (performance.now() - loggedAt < intervalMs) return;
    loggedAt = performance.now();
    log(text);
  };
}
