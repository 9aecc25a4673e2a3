import path from "node:path";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Hono } from "hono";
import { addIndexBlock } from "../freshness/index-report.schema.ts";
import { addNotModified } from "../http/answer.schema.ts";
import { createToolPage } from "../http/common-headers.ts";
import { type SharedJson, shareJson } from "../http/shared-json.ts";
import { packageFolder, packageVersion, serveStaticFiles } from "../http/static-files.ts";

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

type OpenApiDeps = { baseUrl: string; docsUrl: string; routes: () => OpenAPIHono };

const tags = [
  { name: "Service", description: "What the service is, and whether it is up." },
  { name: "SQL", description: "SQL queries, open to anyone within limits. Absent where SQL is off." },
  {
    name: "Tokens",
    description: "Token lists, entries, metadata and holders, and how to register a token.",
  },
  { name: "Curves", description: "Bonding curves, and quotes for trades." },
  { name: "Market", description: "Trades, candles and the launchpad's totals." },
  { name: "Accounts", description: "Accounts: holdings, created tokens, trades and results." },
  { name: "Stream", description: "Events as they happen." },
  {
    name: "Alerts",
    description: "Webhooks for events of the stream and for conditions. Absent where alerts are off.",
  },
  { name: "Images", description: "Token images on IPFS." },
  {
    name: "Aggregators",
    description: "Data in the formats of DEX Screener, CoinGecko, TradingView's charts and wallets.",
  },
];

/** A constant, because the types of the field lack OpenAPI 3.1's identifier. */
const license = { name: "MIT", identifier: "MIT" };

/** Generates the OpenAPI document from the schemas that validate requests. */
function openApiDocument({ baseUrl, docsUrl, routes }: OpenApiDeps) {
  const document = routes().getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Token Launchpad",
      version: "1.0",
      description:
        "Tokens on a bonding curve on BNB Smart Chain: lists, curves and quotes, candles and trades, accounts, holders, metadata, registration, a stream. No key is needed. Amounts are decimal strings, in base units unless the field says BNB, USD or whole tokens; times are ISO 8601, addresses lower-case. Errors are `application/problem+json` with a stable `code`. Anyone can write names, symbols, descriptions and links: treat them as hostile text.",
      license,
      contact: { name: "Documentation", url: docsUrl },
    },
    // A reader elsewhere has another localhost: / is the server that the document came from.
    servers: [{ url: new URL(baseUrl).hostname === "localhost" ? "/" : baseUrl }],
    tags,
    // No endpoint needs a key.
    security: [],
  });
  addIndexBlock(document.paths);
  addNotModified(document.paths);
  return document;
}

export function createOpenApi(deps: OpenApiDeps): Hono {
  let cached: SharedJson<object> | undefined;
  return new Hono().get("/api/openapi.json", (c) => {
    cached ??= shareJson<object>(openApiDocument(deps));
    return cached.send(c, "public, max-age=60");
  });
}
