/** Logs what is said last, every few seconds. */
export function createProgress(log: (line: string) => void, intervalMs = 5_000): (text: string) => void {
  let saidAt = performance.now();
  return (text) => {
    if (performance.now() - saidAt < intervalMs) return;
    saidAt = performance.now();
    log(text);
  };
}
