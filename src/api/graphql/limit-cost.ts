import { type DocumentNode, parse } from "graphql";
import { createMiddleware } from "hono/factory";
import { graphqlLimits } from "./limits.ts";
import { queryCost } from "./query-cost.ts";

/** Refuses a query that reads too much, before it reaches the database. Answers in GraphQL's error shape. */
export const limitCost = createMiddleware(async (c, next) => {
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

  let document: DocumentNode;
  try {
    document = parse(body.query, { maxTokens: graphqlLimits.tokens });
  } catch (error) {
    return c.json(refusal(error instanceof Error ? error.message : "The query can't be read."), 400);
  }
  const cost = Math.ceil(queryCost(document, body.variables ?? {}));
  if (cost > graphqlLimits.cost) {
    return c.json(
      refusal(
        `The query may read about ${cost} rows, and ${graphqlLimits.cost} are allowed: ask for fewer rows with "limit", or in several queries.`,
      ),
      400,
    );
  }
  return next();
});

type Query = { query: string; variables?: Record<string, unknown> | null };

function isQuery(body: unknown): body is Query {
  if (typeof body !== "object" || body === null || !("query" in body)) return false;
  if (typeof body.query !== "string") return false;
  if (!("variables" in body) || body.variables === null || body.variables === undefined) return true;
  return typeof body.variables === "object" && !Array.isArray(body.variables);
}

function refusal(message: string) {
  return { errors: [{ message }] };
}
