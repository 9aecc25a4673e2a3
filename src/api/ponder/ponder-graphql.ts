import { createRequire } from "node:module";
import path from "node:path";
import type { GraphQLSchema } from "graphql";
import type { ReadPools } from "../database/read-pools.ts";
import { packageFolder } from "../http/static-files.ts";
import { type PonderPool, ponderDatabase } from "./internals.ts";

/** A module that Ponder doesn't export. */
type GraphqlModule = { buildGraphQLSchema: (options: { schema: object }) => GraphQLSchema };

/** Ponder's GraphQL without its HTTP. */
export type PonderGraphql = {
  schema: GraphQLSchema;
  /** The copy of graphql-js that created the schema. No other copy accepts it. */
  graphql: typeof import("graphql");
};

/** @param exports the exports of ponder.schema.ts, from which Ponder derives the schema */
export function loadPonderGraphql(exports: Record<string, unknown>): PonderGraphql {
  const file = path.join(packageFolder("ponder"), "dist/esm/graphql/index.js");
  // require(), since an import would go through Ponder's loader, which resolves to other copies of graphql-js.
  const require = createRequire(file);
  const { buildGraphQLSchema } = require(file) as GraphqlModule;
  return { schema: buildGraphQLSchema({ schema: exports }), graphql: require("graphql") };
}

/** Limits a pool that has no connections yet. Nothing before the API is set up. */
let limit: (pool: PonderPool) => void = () => {};
const limited = new WeakSet<PonderPool>();

/** Ponder's read pool. In development, a reload makes a new one, also if it loads no module of the API again. */
export function graphqlPool(): PonderPool | undefined {
  const pool = ponderDatabase()?.driver.readonly;
  if (pool !== undefined && !limited.has(pool)) limit(pool);
  return pool;
}

/**
 * Makes Ponder's read pool (GraphQL, `/ready`, `/status`) connect to the database that serves our reads, as the read-only
 * role, and with limits: Ponder allows a statement 30 seconds and 512 MB for each sort, and has no setting for either. Only
 * new connections take these options, so call it before the first one is opened.
 */
export function limitGraphqlPool(reads: Pick<ReadPools, "url" | "adopt">, statementSeconds: number): void {
  limit = (pool) => {
    limited.add(pool);
    pool.options.connectionString = reads.url;
    pool.options.statement_timeout = statementSeconds * 1_000;
    // Runs after Ponder's own settings. A sort or hash that needs more memory spills to files, for which the role has a limit.
    // Parallel workers would mix up the order of a list that is joined to other tables.
    const settings = "set work_mem = '16MB'; set jit = off; set max_parallel_workers_per_gather = 0";
    pool.options.onConnect = (client) => client.query(settings);
    reads.adopt(pool);
  };
  graphqlPool();
}
