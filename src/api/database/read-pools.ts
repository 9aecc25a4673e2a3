import pg from "pg";
import { readerUrlOnPrimary, readsFromOtherServer } from "../../../config/reader-url.ts";
import { createPool, type PoolOptions, tolerateLostConnections } from "./database.ts";
import { createReadRoute, type ReadRoute } from "./read-route.ts";
import { createServers } from "./replica-servers.ts";
import { isBusy, routePool } from "./route-pool.ts";

export type ReadPoolsOptions = {
  databaseUrl: string | undefined;
  databaseReadUrl: string | undefined;
  /** Prefix of the connections' names in pg_stat_activity. */
  name: string;
};

export type ReadPools = {
  /** Where reads connect, as the read-only role. */
  url: string | undefined;
  /** Undefined if there is no replica. */
  route: ReadRoute | undefined;
  /** Creates a pool for reads. */
  pool(options: Omit<PoolOptions, "url">): pg.Pool;
  /** Makes an existing pool, which connects to `url`, follow the route. */
  adopt(pool: pg.Pool): void;
};

/** How long a server may take to report its WAL position. */
const positionSeconds = 4;

// In development, Ponder reloads the API in the same process.
const running = globalThis as { LAUNCHPAD_READ_ROUTE?: ReadRoute };

/** Pools for reads connect to the database or, if DATABASE_READ_URL is a replica, to that or the primary, as the route decides. */
export function createReadPools({ databaseUrl, databaseReadUrl, name }: ReadPoolsOptions): ReadPools {
  void running.LAUNCHPAD_READ_ROUTE?.stop();
  running.LAUNCHPAD_READ_ROUTE = undefined;
  const url = databaseReadUrl ?? databaseUrl;
  if (databaseUrl === undefined || url === undefined || !readsFromOtherServer(databaseUrl, url)) {
    return { url, route: undefined, pool: (options) => createPool({ url, ...options }), adopt() {} };
  }

  const primaryUrl = readerUrlOnPrimary(databaseUrl, url);
  const primaryPools = new Set<pg.Pool>();
  const createPositionPool = (connectionUrl: string, connections: number) =>
    createPool({
      url: connectionUrl,
      name: `${name}_replica`,
      connections,
      statementSeconds: positionSeconds,
    });
  const route = createReadRoute({
    servers: createServers(createPositionPool(primaryUrl, 2), createPositionPool(url, 1)),
    isPrimaryBusy: () => [...primaryPools].some(isBusy),
    log: console.warn,
  });
  running.LAUNCHPAD_READ_ROUTE = route;

  function follow(pool: pg.Pool, twin: pg.Pool): pg.Pool {
    primaryPools.add(twin);
    routePool(pool, twin, route);
    return pool;
  }

  return {
    url,
    route,
    pool: (options) => follow(createPool({ url, ...options }), createPool({ url: primaryUrl, ...options })),
    adopt(pool) {
      const twin = new pg.Pool({ ...pool.options, connectionString: primaryUrl });
      follow(pool, tolerateLostConnections(twin));
    },
  };
}
