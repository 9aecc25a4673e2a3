import { createRequire } from "node:module";
import path from "node:path";
import type { GraphQLSchema } from "graphql";
import { packageFolder } from "../http/package-files.ts";

/** Not among Ponder's exports. */
type GraphqlModule = { buildGraphQLSchema: (given: { schema: object }) => GraphQLSchema };

/** Ponder's GraphQL without its HTTP. */
export type PonderGraphql = {
  schema: GraphQLSchema;
  /** The copy of GraphQL that made the schema: no other one takes it. */
  graphql: typeof import("graphql");
};

/** @param exports of ponder.schema.ts, from which Ponder derives the schema */
export function loadPonderGraphql(exports: Record<string, unknown>): PonderGraphql {
  const file = path.join(packageFolder("ponder"), "dist/esm/graphql/index.js");
  // Required, since an import goes through Ponder's own loader here, which leads to other copies of GraphQL.
  const require = createRequire(file);
  const { buildGraphQLSchema } = require(file) as GraphqlModule;
  return { schema: buildGraphQLSchema({ schema: exports }), graphql: require("graphql") };
}
