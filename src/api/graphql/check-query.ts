import { type DocumentNode, parse, visit } from "graphql";
import type { MiddlewareHandler } from "hono";
import { argument, type Variables } from "./arguments.ts";
import { graphqlLimits } from "./limits.ts";
import { mostConditions, queryCost } from "./query-cost.ts";
import { querySize } from "./query-size.ts";

/**
 * Refuses a query that reads too much, or that would not do what it says, before it reaches the database.
 * Answers in GraphQL's error shape.
 *
 * @param pages the names of the fields that answer with a page
 */
export function checkQuery(pages: Set<string>): MiddlewareHandler {
  return async (c, next) => {
    // One body format, so that what is weighed here is what is executed behind.
    if (!c.req.header("content-type")?.toLowerCase().startsWith("application/json")) {
      return c.json(refusal("Send the query as JSON: set Content-Type to application/json."), 415);
    }
    const body: unknown = await c.req.raw
      .clone()
      .json()
      .catch(() => undefined);
    if (!isQuery(body)) {
      return c.json(refusal('The body must be a JSON object with a string "query".'), 400);
    }
    const problem = problemOf(body.query, body.variables ?? {}, pages);
    return problem === undefined ? next() : c.json(refusal(problem), 400);
  };
}

function problemOf(query: string, variables: Variables, pages: Set<string>): string | undefined {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: graphqlLimits.tokens });
  } catch (error) {
    return error instanceof Error ? error.message : "The query can't be read.";
  }
  if (querySize(document) > graphqlLimits.fields) {
    return `The query has more than ${graphqlLimits.fields} fields once its fragments are written out: ask in several queries.`;
  }
  const cost = Math.ceil(queryCost(document, { variables, pages }));
  if (cost > graphqlLimits.cost) {
    return cost === Number.POSITIVE_INFINITY
      ? `A "where" may have ${mostConditions} conditions: use "_in" for lists of values.`
      : `The query may read about ${cost} rows, and ${graphqlLimits.cost} are allowed: ask for fewer rows with "limit", in an order and by conditions that are indexed, or in several queries.`;
  }
  return directionProblem(document, variables);
}

// Ponder takes everything but "asc" for descending.
function directionProblem(document: DocumentNode, variables: Variables): string | undefined {
  let problem: string | undefined;
  visit(document, {
    Field(field) {
      const direction = argument(field, "orderDirection", variables);
      if (direction === undefined || direction === null || direction === "asc" || direction === "desc")
        return;
      problem = `orderDirection must be "asc" or "desc", not ${JSON.stringify(direction)}.`;
    },
  });
  return problem;
}

type Query = { query: string; variables?: Variables | null };

function isQuery(body: unknown): body is Query {
  if (typeof body !== "object" || body === null || !("query" in body)) return false;
  if (typeof body.query !== "string") return false;
  if (!("variables" in body) || body.variables === null || body.variables === undefined) return true;
  return typeof body.variables === "object" && !Array.isArray(body.variables);
}

function refusal(message: string) {
  return { errors: [{ message }] };
}
