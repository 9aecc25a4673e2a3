import path from "node:path";
import { Hono } from "hono";
import { packageFolder, packageVersion } from "../http/package-files.ts";
import { serveStaticFiles } from "../http/static-files.ts";

/** The files of Swagger UI that the page needs. They come from npm, so the page works offline. */
const assets = {
  "swagger-ui.css": "text/css",
  "swagger-ui-bundle.js": "text/javascript",
};

/** The human-readable documentation at `/docs`: Swagger UI on the OpenAPI document. */
export function createDocs(): Hono {
  const docs = new Hono();
  const version = packageVersion("swagger-ui-dist");

  docs.get("/docs", (c) => c.html(page(`/docs/assets/${version}`)));

  const files = Object.entries(assets).map(([name, type]) => {
    return [name, { path: path.join(packageFolder("swagger-ui-dist"), name), type }] as const;
  });
  docs.get("/docs/assets/:version/:name", serveStaticFiles(version, Object.fromEntries(files)));

  return docs;
}

function page(folder: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Launchpad REST API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${folder}/swagger-ui.css" />
  </head>
  <body>
    <div id="docs">Loading the API's documentation. It needs JavaScript; programs read <a href="/api/openapi.json">/api/openapi.json</a>.</div>
    <script src="${folder}/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null });
    </script>
  </body>
</html>
`;
}
