import type pg from "pg";
import { ImageError } from "./image-error.ts";

/**
 * Runs `work` with a connection of the pool. If `work` throws anything but an ImageError, the connection is closed, since it may still
 * hold a lock. Throws what `work` throws, or the driver's error.
 */
export async function withConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    return await work(client);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(failure !== undefined && !(failure instanceof ImageError));
  }
}
