import type pg from "pg";

const maxAgeMs = 600_000;

/** The functions that may have side effects, or answer otherwise each time, those of extensions included. Reads them now and then. */
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
