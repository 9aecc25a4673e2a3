import { GraphQLError } from "graphql";
import { isTransientDatabaseError } from "../../database/transient-error.ts";
import type { GraphqlCode } from "../refusal.ts";

const messages: Partial<Record<GraphqlCode, string>> = {
  answer_too_large: "The answer is too large: ask for fewer rows or columns, or split the query.",
  database_unavailable: "The database does not answer: try again in a few seconds.",
  invalid_argument: "A value in the query does not fit its column: check the type of the filter.",
  query_timeout:
    'The query took too long: ask for fewer rows with "limit", and use conditions and an order that are indexed.',
  internal_error: "Something went wrong on our side. Try again; the log has the cause.",
};

/** Creates an error whose message is shown to the client, which is only done for GraphQLErrors. */
export function createError(code: GraphqlCode): GraphQLError {
  return new GraphQLError(messages[code] ?? code, { extensions: { code } });
}

/** Converts a database error to one for the client, and logs it if it is unexpected. */
export function toGraphqlError(error: unknown): GraphQLError {
  const code = codeOf(error);
  if (code === "internal_error") console.error(error);
  return createError(code);
}

function codeOf(error: unknown): GraphqlCode {
  const { code } = error as { code?: unknown };
  // Postgres cancelled the statement, or waited too long for a lock.
  if (code === "57014" || code === "55P03") return "query_timeout";
  if (isTransientDatabaseError(error)) return "database_unavailable";
  // Data exceptions.
  return typeof code === "string" && code.startsWith("22") ? "invalid_argument" : "internal_error";
}
