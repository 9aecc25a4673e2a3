import type pg from "pg";

/** A client's requests in its current minute, and when that ends, in milliseconds since 1970. */
export type RequestCount = { requests: number; endsAt: number };

/**
 * Counts requests by key, all in one statement. A minute (`windowMs`) begins with a key's first request. Resolves to the counts so far.
 * Throws the driver's error.
 */
export async function countRequests(
  pool: pg.Pool,
  added: ReadonlyMap<string, number>,
  windowMs: number,
): Promise<Map<string, RequestCount>> {
  // In the same order everywhere, so that concurrent statements can't deadlock.
  const keys = [...added.keys()].sort();
  const now = Date.now();
  const { rows } = await pool.query<{ key: string; points: number; expire: string }>({
    name: "count_requests",
    text: `insert into offchain.rate_limit as counted (key, points, expire)
      select added.key, added.points, $3 from unnest($1::text[], $2::int[]) as added (key, points)
      on conflict (key) do update set
        points = case when counted.expire <= $4 then excluded.points else counted.points + excluded.points end,
        expire = case when counted.expire <= $4 then excluded.expire else counted.expire end
      returning key, points, expire`,
    values: [keys, keys.map((key) => added.get(key)), now + windowMs, now],
  });
  return new Map(rows.map(({ key, points, expire }) => [key, { requests: points, endsAt: Number(expire) }]));
}

/** Deletes the counts of minutes that are over. */
export async function deleteOldCounts(pool: pg.Pool): Promise<void> {
  await pool.query("delete from offchain.rate_limit where expire <= $1", [Date.now()]);
}
