import type { GraphQLObjectType, GraphQLOutputType } from "graphql";
import type { PonderGraphql } from "../ponder/ponder-graphql.ts";
import type { ApiSchema } from "./tables.ts";

/** Makes timestamps of off-chain tables seconds, like all other times. Ponder would make them milliseconds. */
export function showTimesInSeconds({ schema, graphql }: PonderGraphql, { tables }: ApiSchema): void {
  const bigint = schema.getType("BigInt") as GraphQLOutputType;
  for (const { name, columns } of tables.values()) {
    const fields = (schema.getType(name) as GraphQLObjectType).getFields();
    for (const [column, { kind }] of columns) {
      const field = fields[column];
      if (kind !== "date" || field === undefined) continue;
      field.type = graphql.isNonNullType(field.type) ? new graphql.GraphQLNonNull(bigint) : bigint;
    }
  }
}
