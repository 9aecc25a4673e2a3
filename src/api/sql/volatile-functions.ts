import type pg from "pg";

const maxAgeMs = 600_000;

/**
 * Returns a cached reader of the volatile functions' names, including those of extensions: they may have side effects.
 */
export function readVolatileFunctions(pool: pg.Pool): () => Promise<ReadonlySet<string>> {
  let read: { names: Promise<ReadonlySet<string>>; at: number } | undefined;
  return () => {
    if (read === undefined || performance.now() - read.at > maxAgeMs) {
      const names = pool
        .query<{ name: string }>(
          "select distinct lower(proname) as name from pg_proc where provolatile = 'v'",
        )
        .then(({ rows }) => new Set(rows.map(({ name }) => name)));
      read = { names, at: performance.now() };
      names.catch(() => {
        read = undefined;
      });
    }
    return read.names;
  };
}
