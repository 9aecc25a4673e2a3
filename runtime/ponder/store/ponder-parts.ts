import type { PgTable } from "drizzle-orm/pg-core";
import type { QueryConfig, QueryResult, Submittable } from "pg";

/** The parts of Ponder that its store is given, as far as ours uses them. Ponder exports no types of them. */

export type Row = Record<string, unknown>;

/** A connection, or a transaction. `wrap` logs, measures and retries as Ponder does for all that it asks the database. */
export type QueryBuilder = {
  wrap<T>(labels: { label: string }, query: () => Promise<T>): Promise<T>;
  $client: {
    query(query: QueryConfig): Promise<QueryResult<Row>>;
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

/** What a handler gets of an event; its arguments among it. */
export type IndexedEvent = {
  chain: { id: number };
  eventCallback: { fn: object };
  event: object;
};

/** A row by its primary key. */
export type RowKey = { table: PgTable; key: Row };

/** Ends the indexing with its message: nothing that is tried again would help. */
export type UserError = new (message: string) => Error;

/** It makes events be indexed once more, even if their handler has caught the error. */
export type ErrorHandler = { setRetryableError(error: unknown): void };
