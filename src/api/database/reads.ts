import pg from "pg";
import { readerOnPrimary, readsElsewhere } from "../../../config/reader-url.ts";
import { createPool, hearErrors, type PoolOptions } from "./database.ts";
import { createReadRoute, type ReadRoute } from "./read-route.ts";
import { createServers } from "./replica-servers.ts";
import { isBusy, routePool } from "./route-pool.ts";

export type ReadsOptions = {
  databaseUrl: string | undefined;
  databaseReadUrl: string | undefined;
  /** Comes before the names of connections in pg_stat_activity. */
  name: string;
};

export type Reads = {
  /** Where reads connect, as the role that can only read. */
  url: string | undefined;
  /** Undefined: there is no replica. */
  route: ReadRoute | undefined;
  /** Connections to read with. */
  pool(options: Omit<PoolOptions, "url">): pg.Pool;
  /** Has a pool that someone else made, which connects to `url`, follow the route. */
  adopt(pool: pg.Pool): void;
};

/** How long a server may take to say how far it is. */
const positionSeconds = 4;

// Ponder runs the API anew when a file of it is edited, in the same process.
const running = globalThis as { LAUNCHPAD_READ_ROUTE?: ReadRoute };

/** The connections for reads: to the database, or where DATABASE_READ_URL leads to a replica, to that or to the primary. */
export function createReads({ databaseUrl, databaseReadUrl, name }: ReadsOptions): Reads {
  void running.LAUNCHPAD_READ_ROUTE?.stop();
  running.LAUNCHPAD_READ_ROUTE = undefined;
  const url = databaseReadUrl ?? databaseUrl;
  if (databaseUrl === undefined || url === undefined || !readsElsewhere(databaseUrl, url)) {
    return { url, route: undefined, pool: (options) => createPool({ url, ...options }), adopt() {} };
  }

  const primaryUrl = readerOnPrimary(databaseUrl, url);
  const onPrimary = new Set<pg.Pool>();
  const positions = (of: string, connections: number) =>
    createPool({
      url: of,
      name: `${name}_replica`,
      connections,
      statementSeconds: positionSeconds,
    });
  const route = createReadRoute({
    servers: createServers(positions(primaryUrl, 2), positions(url, 1)),
    isPrimaryBusy: () => [...onPrimary].some(isBusy),
    log: console.warn,
  });
  running.LAUNCHPAD_READ_ROUTE = route;

  function follow(pool: pg.Pool, twin: pg.Pool): pg.Pool {
    onPrimary.add(twin);
    routePool(pool, twin, route);
    return pool;
  }

  return {
    url,
    route,
    pool: (options) => follow(createPool({ url, ...options }), createPool({ url: primaryUrl, ...options })),
    adopt(pool) {
      // Its settings, as of now.
      const twin = new pg.Pool({ ...pool.options, connectionString: primaryUrl });
      follow(pool, hearErrors(twin));
    },
  };
}
