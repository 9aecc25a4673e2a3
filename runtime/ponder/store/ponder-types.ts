import type { PgTable } from "drizzle-orm/pg-core";
import type { QueryConfig, QueryResult, Submittable } from "pg";

/** Types of what Ponder passes to its store, as far as ours uses it. Ponder doesn't export them. */

export type Row = Record<string, unknown>;

/** A connection or a transaction. `wrap` logs, measures and retries a query, as Ponder does for all of its own. */
export type QueryBuilder = {
  wrap<T>(labels: { label: string }, query: () => Promise<T>): Promise<T>;
  $client: {
    query(query: QueryConfig): Promise<QueryResult<Row>>;
    query(text: string, values: unknown[]): Promise<QueryResult<Row>>;
    query<Stream extends Submittable>(stream: Stream): Stream;
  };
};

export type Common = {
  options: { indexingCacheMaxBytes: number };
  logger: Record<"debug" | "warn", (entry: Record<string, unknown>) => void>;
  metrics: {
    ponder_indexing_cache_query_duration: {
      observe(labels: { table: string; method: "find" | "load" | "flush" }, milliseconds: number): void;
    };
    incrementIndexingCacheRequests(
      table: string,
      type: "complete" | "hit" | "miss" | "prefetch",
      count: number,
    ): void;
    incrementIndexingStoreQueries(table: string, method: string, count: number): void;
  };
};

/** An event with its handler. `event` is what the handler receives. */
export type IndexedEvent = {
  chain: { id: number };
  eventCallback: { fn: object };
  event: object;
};

/** Identifies a row by its primary key. */
export type RowKey = { table: PgTable; key: Row };

/** Stops indexing with a message, for errors that a retry can't fix. */
export type UserError = new (message: string) => Error;

/** Makes events be indexed again, even if their handler has caught the error. */
export type ErrorHandler = { setRetryableError(error: unknown): void };
