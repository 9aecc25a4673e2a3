import pg from "pg";
import { shareRun } from "../../../config/async.ts";
import { connectionOptions } from "../../../config/connection-options.ts";
import { readerUrlOnPrimary, readsFromOtherServer } from "../../../config/database.ts";
import { onReload } from "../../../config/reload.ts";
import { tolerateLostConnections } from "../../../offchain/connection.ts";
import { readWalPosition, type WalPosition } from "../../../offchain/wal-position.ts";
import { createPool, type PoolOptions } from "./database.ts";
import { createReadRoute, type ReadRoute } from "./read-route.ts";
import { isLostConnection, setRetryPolicy } from "./retry.ts";

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
  pool(options: Omit<PoolOptions, "url">): pg.Pool;
  /** Makes an existing pool, which connects to `url`, follow the route. */
  adopt(pool: pg.Pool): void;
};

/** How long a server may take to report its WAL position. */
const positionSeconds = 4;

/** Pools for reads connect to the database or, if DATABASE_READ_URL is a replica, to that or the primary, as the route decides. */
export function createReadPools({ databaseUrl, databaseReadUrl, name }: ReadPoolsOptions): ReadPools {
  onReload("read route");
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
  onReload("read route", route.stop);

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
      const twin = new pg.Pool(connectionOptions({ ...pool.options, connectionString: primaryUrl }));
      follow(pool, tolerateLostConnections(twin));
    },
  };
}

type Release = (error?: Error | boolean) => void;
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/** Attempts to connect, in case the replica's failure has not been noticed yet. */
const maxAttempts = 3;

/**
 * Makes a pool of the replica take its connections from a pool of the primary while the route leads there. Reads that fail
 * because of the replica are retried.
 */
function routePool(pool: pg.Pool, primaryPool: pg.Pool, route: ReadRoute): void {
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
const isBusy = ({ totalCount, idleCount, waitingCount }: pg.Pool) =>
  totalCount - idleCount + waitingCount > 0;

/** The server that is read from, compared with the one that is written to. */
export type ReplicaComparison = {
  /** `same`: one server under two names. `foreign`: not a replica of the primary, for example since it was promoted. */
  kind: "replica" | "same" | "foreign";
  /** Bytes of the primary's WAL that the replica has not replayed; null if unknown. */
  lagBytes: number | null;
  /** Whole seconds since the primary committed what the replica replayed last; 0 if that is everything, null if unknown. */
  lagSeconds: number | null;
};

export type Servers = ReturnType<typeof createServers>;

/**
 * Asks the server that is written to and the one that is read from for their WAL positions. Each method throws the driver's error
 * if a server does not answer.
 */
function createServers(primary: Pick<pg.Pool, "query">, reader: Pick<pg.Pool, "query">) {
  const kindOf = (read: WalPosition, written: WalPosition): ReplicaComparison["kind"] =>
    read.isReplica ? "replica" : read.server === written.server ? "same" : "foreign";

  async function askPrimary(): Promise<WalPosition & { reached: number; flushed: number }> {
    const position = await ask(primary);
    const { reached, flushed } = position;
    if (reached === null || flushed === null) {
      // Has the code of a server that is starting up: this may change soon.
      throw Object.assign(new Error("DATABASE_URL leads to a replica"), { code: "57P03" });
    }
    return { ...position, reached, flushed };
  }

  async function readReached(): Promise<number> {
    const position = await ask(reader);
    if (position.isReplica) return position.reached ?? Number.NEGATIVE_INFINITY;
    // Positions in different servers' logs can't be compared.
    const kind = kindOf(position, await askPrimary());
    return kind === "same" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  return {
    /** The primary's position: all commits are before `reached`, and all durable ones before `flushed`. */
    askPrimary,

    /** The position up to which reads see everything that the primary has written. Concurrent callers share one answer, which may be a little old. */
    askReader: shareRun(readReached),

    async compare(): Promise<ReplicaComparison> {
      const written = await askPrimary();
      const read = await ask(reader);
      const kind = kindOf(read, written);
      if (kind !== "replica" || read.reached === null) return { kind, lagBytes: null, lagSeconds: null };
      const lagBytes = Math.max(0, written.flushed - read.reached);
      const seconds =
        read.at === null || written.at === null ? null : Math.max(0, Math.floor(written.at - read.at));
      return { kind, lagBytes, lagSeconds: lagBytes === 0 ? 0 : seconds };
    },
  };
}

/** Tries again if the connection was lost: an idle one may be, although its server is up. */
async function ask(server: Pick<pg.Pool, "query">): Promise<WalPosition> {
  return await readWalPosition(server).catch((error: unknown) => {
    if (!isLostConnection(error)) throw error;
    return readWalPosition(server);
  });
}
