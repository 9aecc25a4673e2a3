import type { SaltPool } from "../pool.ts";

/** Shows on a terminal how many salts have been tried, and how fast. Returns a function that clears the line again. */
export function showProgress(pool: SaltPool, expected: number, terminal: NodeJS.WriteStream): () => void {
  if (!terminal.isTTY) return () => {};
  const startedAt = performance.now();
  const show = () => {
    const tried = pool.tried();
    const rate = tried / ((performance.now() - startedAt) / 1_000);
    const text = `${millions(tried)} million salts tried, ${millions(rate)} million per second; about ${millions(expected)} million are needed`;
    terminal.write(`\r${text}\x1b[K`);
  };
  const timer = setInterval(show, 250);
  return () => {
    clearInterval(timer);
    terminal.write("\r\x1b[K");
  };
}

function millions(count: number): string {
  return (count / 1e6).toLocaleString("en-US", { maximumFractionDigits: 2 });
}
