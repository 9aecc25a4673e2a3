import type { DocumentNode } from "graphql";
import type { MiddlewareHandler } from "hono";
import { spreadOverTicks } from "../concurrency/spread-over-ticks.ts";
import type { Variables } from "./arguments.ts";
import { createDocuments } from "./documents.ts";
import { graphqlLimits } from "./limits.ts";
import { type QueryCost, queryCost } from "./query-cost.ts";
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

/** What the check leaves for those who run the query. */
export type CheckedQuery = {
  Variables: { queryCost: QueryCost; query: GraphqlRequest & { document: DocumentNode } };
};

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
  const read = createDocuments();
  return async (c, next) => {
    // One body format: others could be sent from any web page without asking first.
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
          ? 'The URL must have a "query" and, where they are given, "variables" as a JSON object.'
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
      `The query has more than ${graphqlLimits.fields} fields once its fragments are written out: ask in several queries.`,
    );
  }
  const { depth, aliases } = queryShape(document);
  if (depth > graphqlLimits.depth) throw tooLarge("depth", depth, graphqlLimits.depth);
  if (aliases > graphqlLimits.aliases) throw tooLarge("aliases", aliases, graphqlLimits.aliases);
  const cost = queryCost(document, options);
  if (cost.total > graphqlLimits.cost) throw new QueryRefusal("query_too_expensive", explain(cost));
  return cost;
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

function tooLarge(what: string, found: number, most: number): QueryRefusal {
  const message = `The query exceeds the ${what} limit of ${most} with ${found}: ask in several queries.`;
  return new QueryRefusal("query_too_large", message);
}
