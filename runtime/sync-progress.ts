/** A progress line of the chain gate during a first sync: chain, percentage and details. */
const progressLine = /^(chain \d+): history (\d+) %: (.*)$/;

const barWidth = 24;

type Terminal = Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;

/**
 * Wraps `log` to show the progress of a first sync as bars that stay below all other lines. Unless the output is a terminal,
 * returns `log` itself.
 */
export function showSyncProgress(
  log: (line: string) => void,
  terminal: Terminal = process.stdout,
): (line: string) => void {
  if (!terminal.isTTY) return log;
  const bars = new Map<string, string>();

  function clear(): void {
    if (bars.size > 0) terminal.write(`\x1b[${bars.size}A\x1b[J`);
  }

  function draw(): void {
    for (const bar of bars.values()) terminal.write(`${bar.slice(0, terminal.columns)}\n`);
  }

  return (line) => {
    clear();
    const [, chain, percent, rest] = line.match(progressLine) ?? [];
    if (chain === undefined) log(line);
    else if (percent === "100") bars.delete(chain);
    else bars.set(chain, `${chain} [${renderBar(Number(percent))}] ${percent} %: ${rest}`);
    draw();
  };
}

function renderBar(percent: number): string {
  const done = Math.round((percent * barWidth) / 100);
  return "=".repeat(done) + "-".repeat(barWidth - done);
}
