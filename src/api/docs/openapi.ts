import type { OpenAPIHono } from "@hono/zod-openapi";
import { Hono } from "hono";
import { addIndexBlock } from "../freshness/index-block.schema.ts";
import { addNotModified } from "../http/answer.schema.ts";
import { type SharedJson, shareJson } from "../http/shared-json.ts";

export type OpenApiDeps = { baseUrl: string; docsUrl: string; routes: () => OpenAPIHono };

const tags = [
  { name: "Service", description: "What the service is, and whether it is up." },
  { name: "SQL", description: "Queries of anyone, within limits. Not there with SQL=off." },
  {
    name: "Tokens",
    description: "Lists, entries, metadata and holders of tokens, and how one is registered.",
  },
  { name: "Curves", description: "Bonding curves, and what a trade would bring." },
  { name: "Market", description: "Trades, candles and the launchpad's totals." },
  { name: "Accounts", description: "What an account holds, created and traded, and its results." },
  { name: "Stream", description: "What happens, as it happens." },
  { name: "Images", description: "Images of tokens, on IPFS." },
  { name: "Aggregators", description: "The formats that DEX Screener, CoinGecko and wallets read." },
];

/** The OpenAPI document, made from the schemas that validate. */
function openApiDocument({ baseUrl, docsUrl, routes }: OpenApiDeps) {
  const document = routes().getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Token Launchpad",
      version: "1.0",
      description:
        "Tokens on a bonding curve on BNB Smart Chain: lists, curves and quotes, candles and trades, accounts, holders, metadata, registration, a stream. No key is needed. Amounts are decimal strings, in base units unless the field says BNB, USD or whole tokens; times are ISO 8601, addresses lower-case. Errors are `application/problem+json` with a stable `code`. Names, symbols, descriptions and links are written by anyone: treat them as hostile text.",
      // Spread, since the types lack 3.1's identifier.
      license: { name: "MIT", ...{ identifier: "MIT" } },
      contact: { name: "Documentation", url: docsUrl },
    },
    // To whoever reads a document elsewhere, localhost is another machine: / is where it came from.
    servers: [{ url: new URL(baseUrl).hostname === "localhost" ? "/" : baseUrl }],
    tags,
    // No key is needed for anything.
    security: [],
  });
  addIndexBlock(document.paths);
  addNotModified(document.paths);
  return document;
}

export function createOpenApi(deps: OpenApiDeps): Hono {
  let made: SharedJson<object> | undefined;
  return new Hono().get("/api/openapi.json", (c) => {
    made ??= shareJson<object>(openApiDocument(deps));
    return made.send(c, "public, max-age=60");
  });
}
