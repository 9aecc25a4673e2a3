import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { checkQuery } from "./graphql/check-query.ts";
import { createEditor } from "./graphql/editor.ts";
import { graphqlLimits } from "./graphql/limits.ts";
import { pageFields } from "./graphql/page-fields.ts";
import { problemResponse } from "./lib/problem.ts";
import { takeTurns } from "./lib/take-turns.ts";

export type AppParts = {
  /** Executes GraphQL. */
  graphql: MiddlewareHandler;
  /** What GraphQL is derived from: the exports of ponder.schema.ts. */
  schema: Record<string, unknown>;
};

/** Every route of the service except those that Ponder adds (/health, /ready, /status, /metrics). */
export function createApp({ graphql, schema }: AppParts): Hono {
  const app = new Hono();

  app.get("/", (c) => c.redirect("/graphql"));

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
          detail: `A GraphQL request may have ${graphqlLimits.bodyBytes} bytes.`,
        }),
    }),
    checkQuery(pageFields(schema)),
    takeTurns({ running: graphqlLimits.concurrency, waiting: graphqlLimits.waiting }),
    graphql,
  );

  app.all("*", (c) =>
    problemResponse(c, {
      status: 404,
      code: "not_found",
      title: "Not found",
      detail: `There is nothing at ${c.req.method} ${c.req.path}. GraphQL is at /graphql.`,
    }),
  );

  app.onError((error, c) => {
    console.error(error);
    return problemResponse(c, {
      status: 500,
      code: "internal_error",
      title: "Internal error",
      detail: "Something went wrong on our side. Try again; the log has the cause.",
    });
  });

  return app;
}
