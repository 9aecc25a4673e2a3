import { createRequire } from "node:module";
import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import type { ExecutionResult, GraphQLSchema } from "graphql";
import pg from "pg";
import * as exports from "../../ponder.schema.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { createGraphql } from "../../src/api/graphql/create-graphql.ts";
import { createReadRows } from "../../src/api/graphql/read/read-rows.ts";

/** Answers GraphQL queries from a database in two ways: with our resolvers, and with Ponder's own for the same schema. */
export async function openAnswers(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // The server may end a connection after the last query.
  pool.on("error", () => {});
  const ours = createGraphql(exports);
  // Ponder doesn't export it.
  const file = path.join(projectDir, "node_modules/ponder/dist/esm/graphql/index.js");
  const { buildGraphQLSchema, buildDataLoaderCache } = createRequire(import.meta.url)(file) as {
    buildGraphQLSchema: (options: { schema: object }) => GraphQLSchema;
    buildDataLoaderCache: (qb: object) => unknown;
  };
  const theirs = buildGraphQLSchema({ schema: exports });
  const raw = drizzle(pool, { schema: exports, casing: "snake_case" });
  const qb = { raw, wrap: (ask: (db: unknown) => unknown) => ask(raw) };
  const read = createReadRows(() => pool);
  const answer = async (schema: GraphQLSchema, source: string, contextValue: object) => {
    const result: ExecutionResult = await ours.graphql.graphql({ schema, source, contextValue });
    if (result.errors !== undefined) throw new Error(`${source}: ${result.errors.join()}`);
    return result.data;
  };
  return {
    ours: (source: string) => answer(ours.schema, source, { read }),
    theirs: (source: string) => answer(theirs, source, { qb, getDataLoader: buildDataLoaderCache(qb) }),
    close: () => pool.end(),
  };
}
