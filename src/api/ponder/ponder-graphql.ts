import { createRequire } from "node:module";
import path from "node:path";
import type { GraphQLSchema } from "graphql";
import { packageFolder } from "../http/package-files.ts";

/** A module that Ponder doesn't export. */
type GraphqlModule = { buildGraphQLSchema: (given: { schema: object }) => GraphQLSchema };

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
