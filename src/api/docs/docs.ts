import path from "node:path";
import { Hono } from "hono";
import { createToolPage } from "../http/common-headers.ts";
import { packageFolder, packageVersion } from "../http/package-files.ts";
import { serveStaticFiles } from "../http/static-files.ts";

/** The files of Swagger UI that the page needs. They come from npm, so the page works offline. */
const assets = {
  "swagger-ui.css": "text/css",
  "swagger-ui-bundle.js": "text/javascript",
};

/** The human-readable documentation at `/docs`: Swagger UI on the OpenAPI document, whose requests go to `baseUrl`. */
export function createDocs({ baseUrl }: { baseUrl: string }): Hono {
  const docs = new Hono();
  const version = packageVersion("swagger-ui-dist");

  const folder = `/docs/assets/${version}`;
  const origins = [new URL(baseUrl).origin];
  docs.get("/docs", createToolPage({ html: page(folder), script: start, origins }));

  const files = Object.entries(assets).map(([name, type]) => {
    return [name, { path: path.join(packageFolder("swagger-ui-dist"), name), type }] as const;
  });
  docs.get("/docs/assets/:version/:name", serveStaticFiles(version, Object.fromEntries(files)));

  return docs;
}

const start = `SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null });`;

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
    <script>${start}</script>
  </body>
</html>
`;
}
