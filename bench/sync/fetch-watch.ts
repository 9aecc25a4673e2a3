import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const pauseMs = 250;

/** Watches how many events are committed to the tables from which Ponder indexes, until it is stopped. */
export function watchFetching(client: pg.Client) {
  let events = 0;
  let lastAt = Date.now();
  const controller = new AbortController();

  async function look(): Promise<void> {
    // The table isn't there from the beginning.
    const { rows } = await client
      .query<{ count: number }>("select count(*)::int as count from ponder_sync.logs")
      .catch(() => ({ rows: [] }));
    const count = rows[0]?.count ?? 0;
    if (count !== events) [events, lastAt] = [count, Date.now()];
  }

  const watching = (async () => {
    while (!controller.signal.aborted) {
      await look();
      await delay(pauseMs, undefined, { signal: controller.signal }).catch(() => undefined);
    }
  })();

  return {
    /** Returns when, in milliseconds since 1970, the last event came. */
    async stop(): Promise<number> {
      controller.abort();
      await watching;
      await look();
      return lastAt;
    },
  };
}
