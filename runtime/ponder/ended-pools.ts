import pg from "pg";

type Pool = { ending: boolean; connect: (...given: unknown[]) => unknown };

/**
 * Makes requests for a connection from an ended pool wait forever. When Ponder reloads in development, its previous work continues
 * until it asks its ended pool for a connection, and the error would end the process.
 */
export function silenceEndedPools(): void {
  const pool = pg.Pool.prototype as unknown as Pool;
  const { connect } = pool;
  pool.connect = function (this: Pool, ...given) {
    return this.ending ? new Promise(() => {}) : connect.apply(this, given);
  };
}
