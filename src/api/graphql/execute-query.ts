import type { DocumentNode, ExecutionResult, GraphQLError } from "graphql";
import type { MiddlewareHandler } from "hono";
import { limitPerClient } from "../concurrency/read-lanes.ts";
import type { PonderGraphql } from "../ponder/ponder-graphql.ts";
import type { CheckedQuery } from "./check-query.ts";
import { graphqlLimits } from "./limits.ts";
import { type ReadRows, runQuery } from "./read/read-rows.ts";
import { refusalBody, respond } from "./refusal.ts";

/** Runs a checked query within its limits, and only as long as its client is connected. */
export function limitRun(): MiddlewareHandler<CheckedQuery> {
  return async (c, next) => {
    const client = c.req.raw.signal;
    // The client disconnected while its query was queued.
    if (client.aborted) return c.body(null);
    const signal = AbortSignal.any([client, AbortSignal.timeout(graphqlLimits.querySeconds * 1_000)]);
    const { keyLookups, aliasedColumns } = c.get("queryCost");
    const maxBytes = graphqlLimits.answerBytes / (1 + aliasedColumns);
    return await runQuery({ signal, maxRepeats: keyLookups, maxBytes }, () => next());
  };
}

/**
 * Makes clients take turns with their queries. Heavy queries run one at a time, since their answers are assembled on the event
 * loop: several at once would keep everyone else waiting.
 */
export function limitByCost(trustedHops: number): MiddlewareHandler<CheckedQuery> {
  const { concurrency, waiting: maxWaiting, heavyCost } = graphqlLimits;
  const light = limitPerClient({ concurrency: concurrency, maxWaiting, trustedHops });
  const heavy = limitPerClient({ concurrency: 1, maxWaiting, trustedHops });
  return (c, next) => (c.get("queryCost").total > heavyCost ? heavy : light)(c, next);
}

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
