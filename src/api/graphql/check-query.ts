import type { DocumentNode } from "graphql";
import type { MiddlewareHandler } from "hono";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";
import type { Variables } from "./arguments.ts";
import { graphqlLimits } from "./limits.ts";
import { type QueryCost, queryCost } from "./query-cost.ts";
import { createQueryParser } from "./query-parser.ts";
import { queryShape } from "./query-shape.ts";
import { querySize } from "./query-size.ts";
import { type GraphqlRequest, readRequest } from "./read-request.ts";
import { QueryRefusal, refusalBody } from "./refusal.ts";
import { respond } from "./respond.ts";
import type { TableStatistics } from "./table-statistics.query.ts";
import { type ApiSchema, readApiSchema } from "./tables.ts";

export type QueryCheckOptions = {
  /** The exports of ponder.schema.ts. */
  schema: Record<string, unknown>;
  statistics: () => Promise<TableStatistics>;
};

/** What the check passes on to the following middleware. */
export type CheckedQuery = {
  Variables: { queryCost: QueryCost; query: GraphqlRequest & { document: DocumentNode } };
};

/**
 * Refuses a query that reads too much, or that would not do what it says, before it reaches the database. Responds with an error
 * in GraphQL's shape.
 */
export function checkQuery({
  schema: exports,
  statistics,
}: QueryCheckOptions): MiddlewareHandler<CheckedQuery> {
  const schema = readApiSchema(exports);
  const turn = spreadOverTicks();
  const read = createQueryParser();
  return async (c, next) => {
    // Only JSON: browsers send other formats from any web page without a CORS preflight.
    if (
      c.req.method === "POST" &&
      !c.req.header("content-type")?.toLowerCase().startsWith("application/json")
    ) {
      const message = "Send the query as JSON: set Content-Type to application/json.";
      return respond(c, refusalBody("unsupported_media_type", message), { status: 415 });
    }
    const request = await readRequest(c);
    if (request === undefined) {
      const message =
        c.req.method === "GET"
          ? 'The URL must have a "query" and, if there are any, "variables" as a JSON object.'
          : 'The body must be a JSON object with a string "query".';
      return respond(c, refusalBody("malformed_request", message), { status: 400 });
    }
    try {
      await turn();
      const document = read(request.query);
      const { variables } = request;
      c.set("queryCost", check(document, { variables, schema, statistics: await statistics() }));
      c.set("query", { ...request, document });
    } catch (error) {
      if (!(error instanceof QueryRefusal)) throw error;
      return respond(c, refusalBody(error.code, error.message), { refused: true });
    }
    await next();
  };
}

type CheckOptions = { variables: Variables; schema: ApiSchema; statistics: TableStatistics };

function check(document: DocumentNode, options: CheckOptions): QueryCost {
  if (querySize(document) > graphqlLimits.fields) {
    throw new QueryRefusal(
      "query_too_large",
      `The query has more than ${graphqlLimits.fields} fields with its fragments expanded: split it into several queries.`,
    );
  }
  const { depth, aliases } = queryShape(document);
  if (depth > graphqlLimits.depth) throw tooLarge("depth", depth, graphqlLimits.depth);
  if (aliases > graphqlLimits.aliases) throw tooLarge("aliases", aliases, graphqlLimits.aliases);
  const cost = queryCost(document, options);
  if (cost.total > graphqlLimits.cost) throw new QueryRefusal("query_too_expensive", explain(cost));
  return cost;
}

function explain({ total, reading, mostExpensive }: QueryCost): string {
  const advice =
    mostExpensive === undefined || total - reading > graphqlLimits.cost
      ? 'ask for fewer rows with "limit", or split the query'
      : `"${mostExpensive.field}" makes the database read many rows that are not returned, since no index matches its conditions and order. Filter by the first columns of an index, and order by the next one: ${indexesOf(mostExpensive.table)}`;
  return `The query may read about ${Math.ceil(total)} rows, but only ${graphqlLimits.cost} are allowed: ${advice}.`;
}

function indexesOf({ indexes }: { indexes: string[][] }): string {
  return [...new Set(indexes.map((columns) => `(${columns.join(", ")})`))].join(", ");
}

function tooLarge(what: string, found: number, max: number): QueryRefusal {
  const message = `The query exceeds the ${what} limit of ${max} with ${found}: split it into several queries.`;
  return new QueryRefusal("query_too_large", message);
}
