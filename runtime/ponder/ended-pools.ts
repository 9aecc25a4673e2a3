import pg from "pg";

type Pool = { ending: boolean; connect: (...given: unknown[]) => unknown };

/**
 * Has requests for a connection wait for ever on a pool that was ended. When Ponder begins anew in development, what it was doing
 * before goes on until it asks its ended pool for a connection, and takes the error for one that ends the process.
 */
export function silenceEndedPools(): void {
  const pool = pg.Pool.prototype as unknown as Pool;
  const { connect } = pool;
  pool.connect = function (this: Pool, ...given) {
    return this.ending ? new Promise(() => {}) : connect.apply(this, given);
  };
}
