import type pg from "pg";
import type { ReadRoute } from "./read-route.ts";
import { retryBy } from "./retry.ts";

type Release = (error?: Error | boolean) => void;
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/** Connections that fail before it is noticed that the replica is away. */
const mostAttempts = 3;

/**
 * Has a pool of the replica take its connections from one of the primary while the route leads there. A read that fails with the
 * replica may be tried again, as `retryBy` has it.
 */
export function routePool(pool: pg.Pool, onPrimary: pg.Pool, route: ReadRoute): void {
  const connectToReplica = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;

  async function connect(): Promise<pg.PoolClient> {
    for (let attempt = 1; ; attempt++) {
      await route.decided();
      // Nothing may come in between: the route asks this pool whether it is busy.
      if (route.server === "primary") return await onPrimary.connect();
      try {
        return await connectToReplica();
      } catch (error) {
        if (attempt === mostAttempts || !(await route.failed(error, "replica"))) throw error;
      }
    }
  }

  // What `query` calls too.
  pool.connect = ((callback?: Callback) => {
    if (callback === undefined) return connect();
    connect().then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, releaseNothing),
    );
  }) as typeof pool.connect;

  retryBy(pool, () => {
    const server = route.server;
    return (error) => route.failed(error, server);
  });
}

const releaseNothing = () => {};

/** Whether anything is under way in a pool, or waits for a connection. */
export const isBusy = ({ totalCount, idleCount, waitingCount }: pg.Pool) =>
  totalCount - idleCount + waitingCount > 0;
