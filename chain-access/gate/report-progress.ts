import type { Endpoint } from "../endpoint/endpoint.ts";
import type { History } from "../history/history.ts";

/** Milliseconds between lines: on a terminal, where they are drawn as a bar, and elsewhere. */
const everyMs = { terminal: 1_000, elsewhere: 10_000 };

/**
 * Logs the progress of reading history: blocks, events, requests, time left.
 *
 * @returns a function that stops the reports
 */
export function reportProgress(
  history: Pick<History, "progress">,
  endpoints: readonly Pick<Endpoint, "counts">[],
  log: (line: string, level?: "warn") => void,
  isForTerminal = false,
): () => void {
  const startedAt = performance.now();
  // Created with the first line, because it is slow to create and most runs have nothing to report.
  let format: Intl.NumberFormat | undefined;
  let isUnderWay = false;

  const timer = setInterval(
    () => {
      const { blocks, wanted, events } = history.progress;
      if (blocks >= wanted && !isUnderWay) return;
      isUnderWay = blocks < wanted;
      const seconds = (performance.now() - startedAt) / 1_000;
      const left = blocks === 0 ? undefined : ((wanted - blocks) * seconds) / blocks;
      const requests = endpoints.reduce((sum, { counts }) => sum + counts.calls, 0);
      format ??= new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
      const parts = [
        `${format.format(blocks)} of ${format.format(wanted)} blocks`,
        `${format.format(events)} events`,
        `${format.format(requests)} requests`,
        ...(left === undefined ? [] : [`${inWords(left)} left`]),
      ];
      log(`history ${Math.floor((100 * blocks) / wanted)} %: ${parts.join(", ")}`);
    },
    isForTerminal ? everyMs.terminal : everyMs.elsewhere,
  );
  return () => clearInterval(timer);
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}
