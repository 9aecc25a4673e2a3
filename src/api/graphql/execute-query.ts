import type { DocumentNode, ExecutionResult, GraphQLError } from "graphql";
import type { MiddlewareHandler } from "hono";
import type { PonderGraphql } from "../ponder/ponder-graphql.ts";
import type { CheckedQuery } from "./check-query.ts";
import type { ReadRows } from "./read/read-rows.ts";
import { refusalBody, respond } from "./refusal.ts";

/** Executes a query that `checkQuery` has let through. */
export function executeQuery(
  { schema, graphql }: PonderGraphql,
  read: ReadRows,
): MiddlewareHandler<CheckedQuery> {
  const validationErrors = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const validate = (document: DocumentNode) => {
    const errors = validationErrors.get(document) ?? graphql.validate(schema, document);
    validationErrors.set(document, errors);
    return errors;
  };
  return async (c) => {
    const { document, variables, operationName } = c.get("query");
    const invalid = validate(document);
    if (invalid.length > 0) {
      const errors = invalid.map((error) => ({ ...error.toJSON(), extensions: { code: "invalid_query" } }));
      return respond(c, { errors }, { refused: true });
    }
    const result: ExecutionResult = await graphql.execute({
      schema,
      document,
      variableValues: variables,
      contextValue: { read },
      ...(operationName === undefined ? {} : { operationName }),
    });
    const { errors, ...answer } = result;
    const body = errors === undefined ? answer : { errors: errors.map(toClientError), ...answer };
    return respond(c, body, { refused: !("data" in result) });
  };
}

/** Replaces the message of an internal error, which is not for clients. */
function toClientError(error: GraphQLError) {
  const { originalError: cause } = error;
  // Compared by name, since there may be two copies of the class.
  if (cause === undefined || cause.name === "GraphQLError") {
    // Errors of GraphQL itself have no code: variables of the wrong type, or an unknown operation.
    return { ...error.toJSON(), extensions: { code: "invalid_query", ...error.extensions } };
  }
  console.error(cause);
  const [masked] = refusalBody(
    "internal_error",
    "Something went wrong on our side. Try again; the log has the cause.",
  ).errors;
  return { ...error.toJSON(), ...masked };
}
