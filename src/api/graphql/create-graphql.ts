import { loadPonderGraphql, type PonderGraphql } from "../ponder/ponder-graphql.ts";
import { describeSchema } from "./describe-schema.ts";
import { resolveByBatches } from "./read/resolvers.ts";
import { readApiSchema } from "./tables.ts";
import { showTimesInSeconds } from "./times-in-seconds.ts";

/**
 * Creates Ponder's GraphQL schema with descriptions, all times in seconds, and our own resolvers.
 *
 * @param exports the exports of ponder.schema.ts
 */
export function createGraphql(exports: Record<string, unknown>): PonderGraphql {
  const graphql = loadPonderGraphql(exports);
  const schema = readApiSchema(exports);
  showTimesInSeconds(graphql, schema);
  resolveByBatches(graphql.schema, schema);
  describeSchema(graphql.schema);
  return graphql;
}
