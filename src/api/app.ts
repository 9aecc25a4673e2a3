import type { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { checkQuery } from "./graphql/check-query.ts";
import { createEditor } from "./graphql/editor.ts";
import { graphqlLimits } from "./graphql/limits.ts";
import { limitRun } from "./graphql/run-query.ts";
import { shareByCost } from "./graphql/share-by-cost.ts";
import type { TableStatistics } from "./graphql/table-statistics.query.ts";
import { withOurHeaders } from "./graphql/with-our-headers.ts";
import { dropTrailingSlash } from "./http/drop-trailing-slash.ts";
import { handleError } from "./http/error-handler.ts";
import { exposeHeaders } from "./http/expose-headers.ts";
import { refuseMethod } from "./http/method-not-allowed.ts";
import { problemResponse } from "./http/problem.ts";

export type AppDeps = {
  /** The REST API. */
  rest: OpenAPIHono;
  /** Comes before everything else. */
  guard: MiddlewareHandler;
  /** Executes GraphQL. */
  graphql: MiddlewareHandler;
  /** What GraphQL is derived from: the exports of ponder.schema.ts. */
  schema: Record<string, unknown>;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
  /** How large the tables are, by which GraphQL's queries are weighed. */
  statistics: () => Promise<TableStatistics>;
};

/** Every route of the service except those that Ponder adds (/health, /ready, /status). */
export function createApp({ guard, rest, graphql, schema, statistics, trustedHops }: AppDeps): Hono {
  const app = new Hono();

  app.use(guard);
  app.use(exposeHeaders);

  app.get("/", (c) => c.redirect("/graphql"));

  app.route("/", rest);

  app.route("/graphql", createEditor());
  app.post(
    "/graphql",
    bodyLimit({
      maxSize: graphqlLimits.bodyBytes,
      onError: (c) =>
        problemResponse(c, {
          status: 413,
          code: "body_too_large",
          title: "Body too large",
          detail: `A GraphQL request may have at most ${graphqlLimits.bodyBytes} bytes.`,
        }),
    }),
    checkQuery({ schema, statistics }),
    shareByCost(trustedHops),
    limitRun(),
    withOurHeaders(graphql),
  );

  app.all("*", dropTrailingSlash, refuseMethod(app), (c) =>
    problemResponse(c, {
      status: 404,
      code: "not_found",
      title: "Not found",
      detail: `There is nothing at ${c.req.method} ${c.req.path}. GET /api lists the endpoints; GraphQL is at /graphql.`,
    }),
  );

  app.onError(handleError);

  return app;
}
