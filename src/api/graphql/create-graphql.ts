import { loadPonderGraphql, type PonderGraphql } from "../ponder/ponder-graphql.ts";
import { describeSchema } from "./describe-schema.ts";
import { readApiSchema } from "./tables.ts";
import { showTimesInSeconds } from "./times-in-seconds.ts";

/**
 * Ponder's GraphQL with descriptions, and all times in seconds.
 *
 * @param exports of ponder.schema.ts
 */
export function createGraphql(exports: Record<string, unknown>): PonderGraphql {
  const graphql = loadPonderGraphql(exports);
  showTimesInSeconds(graphql, readApiSchema(exports));
  describeSchema(graphql.schema);
  return graphql;
}
