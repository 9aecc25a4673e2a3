import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Manifest } from "./manifest.routes.ts";

/** Lists every route in the OpenAPI document. */
export function listEndpoints(app: OpenAPIHono): Manifest["endpoints"] {
  return app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === "route"
      ? [
          {
            method: definition.route.method.toUpperCase(),
            path: definition.route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
            description: definition.route.summary ?? "",
          },
        ]
      : [],
  );
}
