import type pg from "pg";
import type { ReadRoute } from "./read-route.ts";
import { setRetryPolicy } from "./retry.ts";

type Release = (error?: Error | boolean) => void;
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/** Attempts to connect, in case the replica's failure has not been noticed yet. */
const maxAttempts = 3;

/**
 * Makes a pool of the replica take its connections from a pool of the primary while the route leads there. Reads that fail
 * because of the replica are retried.
 */
export function routePool(pool: pg.Pool, primaryPool: pg.Pool, route: ReadRoute): void {
  const connectToReplica = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;

  async function connect(): Promise<pg.PoolClient> {
    for (let attempt = 1; ; attempt++) {
      await route.settled();
      // No await in between: the route relies on `isBusy` seeing every read that has started on the primary.
      if (route.server === "primary") return await primaryPool.connect();
      try {
        return await connectToReplica();
      } catch (error) {
        if (attempt === maxAttempts || !(await route.shouldRetry(error, "replica"))) throw error;
      }
    }
  }

  // `pool.query` goes through this too.
  pool.connect = ((callback?: Callback) => {
    if (callback === undefined) return connect();
    connect().then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, nothingToRelease),
    );
  }) as typeof pool.connect;

  setRetryPolicy(pool, () => {
    const server = route.server;
    return (error) => route.shouldRetry(error, server);
  });
}

const nothingToRelease = () => {};

/** Whether a pool has connections in use, or callers waiting for one. */
export const isBusy = ({ totalCount, idleCount, waitingCount }: pg.Pool) =>
  totalCount - idleCount + waitingCount > 0;
