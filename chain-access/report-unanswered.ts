import pg from "pg";

type RunningQuery = { text?: string };

/** Members of a client that are not part of its documented interface. */
type QueryInternals = {
  processID: number | null;
  /** Nothing if it has never run one, or runs none now. */
  _getActiveQuery(): RunningQuery | null | undefined;
  _connect(...args: unknown[]): void;
};

/** How long a statement runs before it is reported, and how often is looked, in milliseconds. */
const defaultLook = { afterMs: 60_000, everyMs: 10_000 };

/** Statements that may take long, and are safe to wait for: whoever ends the creation of an index only repeats it. */
const mayTakeLong = /\b(create (unique )?index|reindex|cluster|vacuum|pg_advisory_(xact_)?lock)\b/i;

/**
 * Logs each statement of this thread that has had no answer for a minute, once: if one process of Postgres hangs, what waits for it
 * stands still, and nothing fails that could say so. Leaves out those that wait or work long by their nature.
 */
export function reportUnanswered(
  log: (line: string) => void,
  { afterMs, everyMs }: typeof defaultLook = defaultLook,
): void {
  const clients = new Set<pg.Client & QueryInternals>();
  const looks = new WeakMap<RunningQuery, { since: number; isReported: boolean }>();
  const prototype = pg.Client.prototype as unknown as QueryInternals;
  const connect = prototype._connect;
  prototype._connect = function (this: pg.Client & QueryInternals, ...args) {
    clients.add(this);
    this.once("end", () => clients.delete(this));
    connect.apply(this, args);
  };

  function look(): void {
    const now = performance.now();
    for (const client of clients) {
      const query = client._getActiveQuery();
      if (!query || mayTakeLong.test(query.text ?? "")) continue;
      const seen = looks.get(query) ?? { since: now, isReported: false };
      looks.set(query, seen);
      if (seen.isReported || now - seen.since < afterMs) continue;
      seen.isReported = true;
      const excerpt = (query.text ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 80);
      log(
        `Postgres has not answered a statement for ${Math.round((now - seen.since) / 1_000)} s (its process ${client.processID}: ${excerpt}). There is nothing to do while that process takes processor time, or pg_stat_activity shows that it waits for a lock, IO or the client; otherwise it hangs: end it with select pg_terminate_backend(${client.processID}), or restart Postgres`,
      );
    }
  }
  setInterval(look, everyMs).unref();
}
