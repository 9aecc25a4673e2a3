import { type DocumentNode, GraphQLError, parse } from "graphql";
import type { Context, MiddlewareHandler } from "hono";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";
import type { Variables } from "./arguments.ts";
import { graphqlLimits } from "./limits.ts";
import { type QueryCost, queryCost } from "./query-cost.ts";
import { querySize } from "./query-size.ts";
import { type GraphqlCode, QueryRefusal, refusalBody } from "./refusal.ts";
import type { TableStatistics } from "./table-statistics.query.ts";
import { type ApiSchema, readApiSchema } from "./tables.ts";

export type QueryCheckOptions = {
  /** The exports of ponder.schema.ts. */
  schema: Record<string, unknown>;
  statistics: () => Promise<TableStatistics>;
};

/** What the check leaves for those who run the query. */
export type CheckedQuery = { Variables: { queryCost: QueryCost } };

/**
 * Refuses a query that reads too much, or that would not do what it says, before it reaches the database.
 * Answers in GraphQL's error shape.
 */
export function checkQuery({
  schema: exports,
  statistics,
}: QueryCheckOptions): MiddlewareHandler<CheckedQuery> {
  const schema = readApiSchema(exports);
  const turn = spreadOverTicks();
  return async (c, next) => {
    // One body format, so that what is weighed here is what is executed behind.
    if (!c.req.header("content-type")?.toLowerCase().startsWith("application/json")) {
      const message = "Send the query as JSON: set Content-Type to application/json.";
      return refuse(c, "unsupported_media_type", message, 415);
    }
    const body: unknown = await c.req.raw
      .clone()
      .json()
      .catch(() => undefined);
    if (!isQuery(body)) {
      return refuse(c, "malformed_request", 'The body must be a JSON object with a string "query".');
    }
    try {
      const variables = body.variables ?? {};
      await turn();
      c.set("queryCost", check(body.query, { variables, schema, statistics: await statistics() }));
    } catch (error) {
      if (error instanceof QueryRefusal) return refuse(c, error.code, error.message);
      throw error;
    }
    await next();
  };
}

type CheckOptions = { variables: Variables; schema: ApiSchema; statistics: TableStatistics };

function check(query: string, options: CheckOptions): QueryCost {
  const document = read(query);
  if (querySize(document) > graphqlLimits.fields) {
    throw new QueryRefusal(
      "query_too_large",
      `The query has more than ${graphqlLimits.fields} fields once its fragments are written out: ask in several queries.`,
    );
  }
  const cost = queryCost(document, options);
  if (cost.total > graphqlLimits.cost) throw new QueryRefusal("query_too_expensive", explain(cost));
  return cost;
}

function read(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: graphqlLimits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw new QueryRefusal("syntax_error", error.message);
    // Thousands of brackets inside each other.
    throw new QueryRefusal("syntax_error", "The query can't be read.");
  }
}

function explain({ total, reading, dearest }: QueryCost): string {
  const advice =
    dearest === undefined || total - reading > graphqlLimits.cost
      ? 'ask for fewer rows with "limit", or in several queries'
      : `"${dearest.field}" makes the database read many rows that nobody gets, since no index has its conditions and order. Begin the conditions with those of an index, and order by the column that follows: ${indexesOf(dearest.table)}`;
  return `The query may read about ${Math.ceil(total)} rows, and ${graphqlLimits.cost} are allowed: ${advice}.`;
}

function indexesOf({ indexes }: { indexes: string[][] }): string {
  return [...new Set(indexes.map((columns) => `(${columns.join(", ")})`))].join(", ");
}

type Query = { query: string; variables?: Variables | null };

function isQuery(body: unknown): body is Query {
  if (typeof body !== "object" || body === null || !("query" in body)) return false;
  if (typeof body.query !== "string") return false;
  if (!("variables" in body) || body.variables === null || body.variables === undefined) return true;
  return typeof body.variables === "object" && !Array.isArray(body.variables);
}

function refuse(c: Context, code: GraphqlCode, message: string, status: 400 | 415 = 400) {
  return c.json(refusalBody(code, message), status);
}
