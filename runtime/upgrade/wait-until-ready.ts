import { setTimeout as delay } from "node:timers/promises";
import { reasonOf } from "../../config/error-code.ts";
import { type IndexPosition, reachesPosition } from "../ponder/indexed-schemas.ts";
import { askReady } from "../ponder/ponder.ts";
import { StartError } from "../start-error.ts";

const pollMs = 200;
const reportMs = 10_000;
const defaultLimits = {
  /** How long the new version's API may give no answer: it answers within seconds, whatever the chain and the index do. */
  silentMs: 600_000,
  /** How long nothing may change once it answers. Creating the indexes of large tables takes minutes. */
  stalledMs: 3_600_000,
};

export type ReadyWait = {
  /** Where only this machine reaches the new version's API; undefined while there is none. */
  apiUrl: () => string | undefined;
  /** How far the new version and the running one are. Rejects if the database doesn't answer. */
  readPositions: () => Promise<{ next: IndexPosition; running: IndexPosition }>;
  /** What the new version last logged of its history: how far it is read. */
  readHistory: () => string;
  /** The last line that may explain why its API doesn't answer. */
  lastLine: () => string | undefined;
  signal: AbortSignal;
  log: (line: string) => void;
  limits?: Partial<typeof defaultLimits>;
};

/** Both undefined if nothing answered. */
type Look = { code: string | undefined; position: IndexPosition | undefined; reason: string };

/**
 * Resolves once the new version's API is ready and has indexed as much as the running version. Says every ten seconds how far it is, and
 * what it waits for. Throws a StartError with the reason if it makes no progress.
 */
export async function waitUntilReady(wait: ReadyWait): Promise<void> {
  const { readHistory, signal, log } = wait;
  const { silentMs, stalledMs } = { ...defaultLimits, ...wait.limits };
  let reportedAt = performance.now();
  let answeredAt = reportedAt;
  let changedAt = reportedAt;
  let place = "nothing yet";
  let progress = "";
  for (;;) {
    signal.throwIfAborted();
    const look = await lookAt(wait);
    if (look === undefined) return;
    const now = performance.now();
    const { code, position, reason } = look;
    if (code !== undefined) answeredAt = now;
    if (position !== undefined) place = describePosition(position);
    const changed = `${place} ${code ?? ""} ${readHistory()}`;
    if (code !== undefined && position !== undefined && changed !== progress) {
      changedAt = now;
      progress = changed;
    }
    if (now - answeredAt > silentMs || now - changedAt > stalledMs) {
      const still = inWords(now - Math.min(answeredAt, changedAt));
      throw new StartError(
        `the new version has made no progress for ${still}, and is indexed up to ${place}: ${reason}`,
      );
    }
    if (now - reportedAt > reportMs) {
      const why = changedAt < reportedAt ? `. It waits: ${reason}` : "";
      log(`the new version is indexed up to ${place}; the running one serves${why}`);
      reportedAt = now;
    }
    await delay(pollMs, undefined, { signal });
  }
}

/** Returns what is still missing; undefined if nothing is. */
async function lookAt({ apiUrl, readPositions, lastLine }: ReadyWait): Promise<Look | undefined> {
  const url = apiUrl();
  const answer = url === undefined ? undefined : await askReady(url);
  const code = answer?.code;
  const positions = await readPositions().catch(reasonOf);
  if (typeof positions === "string") {
    return { code, position: undefined, reason: `the database doesn't answer (${positions})` };
  }
  const { next: position, running } = positions;
  if (answer === undefined) {
    const line = lastLine();
    return {
      code,
      position,
      reason: line === undefined ? "its API doesn't answer" : `its API doesn't answer: ${line}`,
    };
  }
  if (!answer.isReady) return { code, position, reason: answer.detail };
  if (reachesPosition(position, running)) return undefined;
  return { code, position, reason: `the running one is at ${describePosition(running)}` };
}

function describePosition(position: IndexPosition): string {
  const parts = [...position].map(([chain, block]) => `block ${block} of chain ${chain}`);
  return parts.join(", ") || "nothing yet";
}

function inWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}

/** Lines about history that is read or checked, without what changes although nothing is read: requests and the time left. */
const historyLine =
  /history \d+ %: [\d,]+ of [\d,]+ blocks, [\d,]+ events|stored history's logs: at block \d+/;

/** Remembers what the lines of an indexer say about its history. */
export function createHistoryWatch() {
  let last = "";
  return {
    onLine(line: string): void {
      last = historyLine.exec(line)?.[0] ?? last;
    },
    read: () => last,
  };
}
