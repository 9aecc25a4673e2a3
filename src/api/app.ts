import type { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import { checkQuery } from "./graphql/check-query.ts";
import { createEditor } from "./graphql/editor.ts";
import { executeQuery, limitByCost, limitRun } from "./graphql/execute-query.ts";
import { graphqlLimits } from "./graphql/limits.ts";
import { createReadRows } from "./graphql/read/read-rows.ts";
import type { TableStatistics } from "./graphql/table-statistics.query.ts";
import { setCommonHeaders } from "./http/common-headers.ts";
import { handleError, refuseMethod } from "./http/error-handler.ts";
import { limitBytes } from "./http/json-body.ts";
import { problemResponse } from "./http/problem.ts";
import { dropTrailingSlash } from "./http/router.ts";
import { graphqlPool, type PonderGraphql } from "./ponder/ponder-graphql.ts";

export type AppDeps = {
  rest: OpenAPIHono;
  /** Runs before everything else. */
  guard: MiddlewareHandler;
  /** Limits how often a client may make each kind of request, unless it is off. */
  rateLimit: MiddlewareHandler | undefined;
  graphql: PonderGraphql;
  /** The exports of ponder.schema.ts, from which the GraphQL schema is derived. */
  schema: Record<string, unknown>;
  /** The indexed chains. */
  chainIds: number[];
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
  /** The MCP server, unless it is off. */
  mcp: Hono | undefined;
  /** The web explorer, unless it is off. */
  explorer: Hono | undefined;
  /** Table sizes, from which the cost of GraphQL queries is estimated. */
  statistics: () => Promise<TableStatistics>;
};

/** Every route of the service except those that Ponder adds (/health, /ready, /status). */
export function createApp({
  guard,
  rateLimit,
  rest,
  graphql,
  mcp,
  explorer,
  schema,
  chainIds,
  statistics,
  trustedHops,
}: AppDeps): Hono {
  const app = new Hono();

  app.use(guard);
  app.use(setCommonHeaders);
  if (rateLimit !== undefined) app.use(rateLimit);

  if (explorer === undefined) app.get("/", (c) => c.redirect("/graphql"));
  else app.route("/", explorer);

  app.route("/", rest);

  if (mcp !== undefined) app.route("/", mcp);

  app.route("/graphql", createEditor());
  app.on(
    ["GET", "POST"],
    "/graphql",
    limitBytes(
      graphqlLimits.bodyBytes,
      `A GraphQL request may have at most ${graphqlLimits.bodyBytes} bytes.`,
    ),
    checkQuery({ schema, chainIds, statistics }),
    limitByCost(trustedHops),
    limitRun(),
    executeQuery(graphql, createReadRows(graphqlPool)),
  );

  app.all("*", dropTrailingSlash, refuseMethod(app), (c) =>
    problemResponse(c, {
      status: 404,
      code: "not_found",
      detail: `There is nothing at ${c.req.method} ${c.req.path}. GET /api lists the endpoints; GraphQL is at /graphql.`,
    }),
  );

  app.onError(handleError);

  return app;
}
