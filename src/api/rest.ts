import type { OpenAPIHono } from "@hono/zod-openapi";
import type pg from "pg";
import type { Environment } from "../../config/env.ts";
import { createRegistrationStore } from "../../offchain/store.ts";
import { createChainClients } from "./lib/chain-client.ts";
import { createChains } from "./lib/chains.ts";
import { openDatabase, type PooledDatabase } from "./lib/database.ts";
import { createForeignCalls } from "./lib/foreign-call.ts";
import { createRateLimit } from "./lib/rate-limit.ts";
import { createReadTurns } from "./lib/read-turns.ts";
import { createRouter } from "./lib/router.ts";
import { createListing } from "./listing/listing.ts";
import { createAccount } from "./routes/account/account.ts";
import { createCandles } from "./routes/candles/candles.ts";
import { createCoinGecko } from "./routes/coingecko/coingecko.ts";
import { createCurve } from "./routes/curve/curve.ts";
import { createDexScreener } from "./routes/dexscreener/dexscreener.ts";
import { createDocs } from "./routes/docs/docs.ts";
import { createOpenApi } from "./routes/docs/openapi.ts";
import { createHealth } from "./routes/health/health.ts";
import { createHolders } from "./routes/holders/holders.ts";
import { createManifest } from "./routes/manifest/manifest.ts";
import { createMetadata } from "./routes/metadata/metadata.ts";
import { createQuote } from "./routes/quote/quote.ts";
import { createStats } from "./routes/stats/stats.ts";
import { createStreamRoute } from "./routes/stream/stream.ts";
import { createToken } from "./routes/token/token.ts";
import { createTokenListRoute } from "./routes/token-list/token-list.ts";
import { createListTokens } from "./routes/tokens/list-tokens.ts";
import { createRegisterTokenRoute } from "./routes/tokens/register-token.ts";
import { createTrades } from "./routes/trades/trades.ts";
import { gatewayRoute } from "./routes/upload-image/gateway.routes.ts";
import { createUploadImage } from "./routes/upload-image/upload-image.ts";
import { createVanitySalt } from "./routes/vanity-salt/vanity-salt.ts";
import { createDexAddresses } from "./services/aggregators/dex-addresses.ts";
import { createImageGateway } from "./services/images/image-routes.ts";
import type { ImageService } from "./services/images/image-service.ts";
import { createRegisterToken } from "./services/register-token/register-token.ts";
import type { StreamService } from "./services/stream/stream-service.ts";
import { createTokenList } from "./services/token-list/token-list.ts";

export type RestParts = {
  environment: Environment;
  /** For reading, and nothing else. */
  db: PooledDatabase;
  /** For registrations, which write one after the other: those who wait must not keep readers waiting. */
  registryPool: pg.Pool;
  /** For what has to be answered however busy all others are: whether the service is up, and who asked how often. */
  controlPool: pg.Pool;
  images: ImageService;
  stream: StreamService;
};

/** The REST API: every route with its OpenAPI entry, and the documentation made of them. */
export function createRest({
  environment,
  db,
  registryPool,
  controlPool,
  images,
  stream,
}: RestParts): OpenAPIHono {
  const { baseUrl, docsUrl, rateLimit, trustedProxies, listCacheBytes } = environment;
  const chains = createChains(environment.chains);
  const listing = createListing(db);
  // The first request should not have to wait for the whole list.
  void listing.stamp().catch(() => {});
  const clientOf = createChainClients();
  const dexOf = createDexAddresses(clientOf);
  const registerToken = createRegisterToken({
    db,
    store: createRegistrationStore(registryPool),
    clientOf,
    callForeign: createForeignCalls(),
  });
  const limited = createRateLimit({
    trustedHops: trustedProxies,
    sharedIn: rateLimit.isShared ? controlPool : undefined,
  });

  const app = createRouter();
  const routes = () => app;
  if (rateLimit.isOn !== false) {
    const reads = limited("reads", rateLimit.reads);
    const writes = limited("writes", rateLimit.writes);
    const uploads = limited("uploads", rateLimit.uploads);
    // The pattern has /api itself in it.
    app.on(["GET", "HEAD"], "/api/*", (c, next) => (c.req.path === "/api/health" ? next() : reads(c, next)));
    app.on("POST", "/graphql", reads);
    app.on(["GET", "HEAD"], ["/ipfs/*", "/docs/*", "/graphql/*"], reads);
    app.on("POST", "/api/*", (c, next) =>
      c.req.path === "/api/upload-image" ? uploads(c, next) : writes(c, next),
    );
  }
  app.on(["GET", "HEAD"], "/api/*", createReadTurns({ trustedHops: trustedProxies }));
  app.route("/", createManifest({ chains, baseUrl, docsUrl, routes }));
  app.route("/", createHealth({ db: openDatabase(controlPool) }));
  app.route("/", createListTokens({ chains, db, listing, cacheBytes: listCacheBytes }));
  app.route("/", createVanitySalt({ chains, db, clientOf, trustedHops: trustedProxies }));
  app.route("/", createRegisterTokenRoute({ chains, db, registerToken, trustedHops: trustedProxies }));
  app.route("/", createCurve({ chains, db }));
  app.route("/", createQuote({ chains, db, clientOf }));
  app.route("/", createMetadata({ chains, db }));
  app.route("/", createHolders({ chains, db }));
  app.route("/", createToken({ chains, db }));
  app.route("/", createStats({ chains, db, listing }));
  app.route("/", createCandles({ chains, db }));
  app.route("/", createTrades({ chains, db }));
  app.route("/", createAccount({ chains, db }));
  app.route("/", createDexScreener({ chains, db, dexOf }));
  app.route("/", createCoinGecko({ chains, db, dexOf }, { base: "/api/coingecko", idSuffix: "" }));
  app.route("/", createCoinGecko({ chains, db, dexOf }, { base: "/api", idSuffix: "AtRoot" }));
  app.route("/", createTokenListRoute({ tokenList: createTokenList(db) }));
  app.route("/", createStreamRoute({ chains, stream, trustedHops: trustedProxies }));
  app.route("/", createUploadImage({ images, trustedHops: trustedProxies }));
  app.route("/ipfs", createImageGateway({ images, trustedHops: trustedProxies }));
  app.openAPIRegistry.registerPath(gatewayRoute);
  app.route("/", createOpenApi({ baseUrl, routes }));
  app.route("/", createDocs());
  return app;
}
