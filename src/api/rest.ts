import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type pg from "pg";
import { ignore } from "../../config/async.ts";
import type { Environment } from "../../config/env.ts";
import { createRegistrationStore } from "../../offchain/store.ts";
import { createAccount } from "./accounts/account.ts";
import { createAccountDays } from "./accounts/account-days.routes.ts";
import { createTexts } from "./agent-docs/agent-docs.ts";
import { createCoinGecko } from "./aggregators/coingecko/coingecko.ts";
import { createDexScreener } from "./aggregators/dexscreener/dexscreener.ts";
import { createDexAddresses } from "./aggregators/shared/dex-addresses.ts";
import type { AlertService } from "./alerts/alert-service.ts";
import { createAlerts, refuseAlerts } from "./alerts/alerts.ts";
import { createCandles } from "./candles/candles.routes.ts";
import { createUdf } from "./candles/udf.ts";
import { type ChainClients, createUntrustedCalls } from "./chain/chain-client.ts";
import { createChains } from "./chain/chains.ts";
import { createDexFeeReader } from "./chain/dex-terms.ts";
import {
  createImageSemaphore,
  createListSemaphores,
  createReadLanes,
  listPath,
} from "./concurrency/read-lanes.ts";
import { createCurve } from "./curves/curve.routes.ts";
import type { PooledDatabase } from "./database/database.ts";
import { createClientPackage } from "./docs/client-package.ts";
import { createDocs, createOpenApi } from "./docs/docs.ts";
import { createIndexBlock } from "./freshness/index-block.ts";
import type { IndexReport } from "./freshness/index-report.schema.ts";
import type { IndexWatch } from "./freshness/index-watch.ts";
import { graphqlPath, isStale } from "./freshness/ready.ts";
import { createHealth } from "./health/health.routes.ts";
import { createHolderDays, createHolders } from "./holders/holders.ts";
import { compressJson } from "./http/compression.ts";
import { createRouter, forMethods, forPaths, isInApi, readMethods } from "./http/router.ts";
import { createImageGateway, createUploadImage } from "./images/image-routes.ts";
import type { ImageService } from "./images/image-service.ts";
import { gatewayRoute } from "./images/images.routes.ts";
import { createBoards, createLeaderboard } from "./leaderboard/leaderboard.ts";
import { createLiquidity } from "./liquidity/liquidity.routes.ts";
import { createManifest } from "./manifest/manifest.routes.ts";
import { createMetadata } from "./metadata/metadata.routes.ts";
import { refuseHiddenImages } from "./moderation/refuse-hidden-images.ts";
import type { WatchedDenyList } from "./moderation/watch-deny-list.ts";
import { createFirstBuy } from "./quotes/first-buy.ts";
import { createQuote } from "./quotes/quote.ts";
import { createRegistrationHistory } from "./registration-history/registration-history.routes.ts";
import type { SqlService } from "./sql/run-statement.ts";
import { createSql } from "./sql/sql.routes.ts";
import { createDays, createStats } from "./stats/stats.routes.ts";
import { createEvents, createStreamRoute } from "./stream/stream.ts";
import type { StreamService } from "./stream/stream-service.ts";
import { createToken } from "./tokens/entry/token.routes.ts";
import { createListTokens } from "./tokens/list/list-tokens.ts";
import type { Listing } from "./tokens/list/order/listing.ts";
import { createSearchTokens } from "./tokens/list/search-tokens.ts";
import { createRegisterToken, createRegisterTokenRoute } from "./tokens/register/register-token.ts";
import { createTraders } from "./traders/traders.routes.ts";
import { createTrades } from "./trades/trades.routes.ts";
import { createTransactions } from "./transactions/transaction.routes.ts";
import { createTransfers } from "./transfers/transfers.routes.ts";
import { createVanitySalt } from "./vanity-salt/vanity-salt.routes.ts";
import { createTokenList, createTokenListRoute } from "./wallet-list/wallet-list.ts";

export type RestDeps = {
  environment: Environment;
  /** Read-only. */
  db: PooledDatabase;
  /** Read-only too, for requests that must be answered however busy the other pools are. */
  stateDb: PooledDatabase;
  /** Resolves once reads see what was written before the call. */
  written: () => Promise<void>;
  /** For registrations, which are written one after the other: those that wait must not hold up reads. */
  registryPool: pg.Pool;
  /** For leaderboards of time windows, whose queries read a lot. */
  boardsPool: pg.Pool;
  images: ImageService;
  /** Runs SQL of clients, if a role for it is set up. */
  sql?: SqlService | undefined;
  denyList: WatchedDenyList;
  stream: StreamService;
  /** Undefined if alerts are off. */
  alerts?: AlertService | undefined;
  listing: Listing;
  getClient: ChainClients;
  watch: IndexWatch;
};

/** Creates the REST API: every route with its OpenAPI entry, and the documentation generated from them. */
export function createRest({
  environment,
  db,
  stateDb,
  written,
  registryPool,
  boardsPool,
  images,
  sql,
  denyList,
  stream,
  alerts,
  listing,
  getClient,
  watch,
}: RestDeps): OpenAPIHono {
  const { baseUrl, docsUrl, securityContact, isMcpOn, isSqlOn, trustedProxies, listCacheBytes } = environment;
  const chains = createChains(environment.chains);
  // Loaded now so that the first request needn't wait for the whole list. If it can't be read yet, the next request does, and reports the error.
  void listing.load().catch(ignore);
  void listing.warm().catch(ignore);
  const getDexAddresses = createDexAddresses(getClient);
  const readDexFee = createDexFeeReader();
  const registerToken = createRegisterToken({
    db,
    store: createRegistrationStore(registryPool),
    getClient,
    callUntrusted: createUntrustedCalls(),
    waitForReplication: written,
    deniedIn: (request) => denyList.current().deniedIn(request),
  });

  const app = createRouter();
  const routes = () => app;
  app.use(compressJson);
  // Comes before the read lanes: requests that wait for the whole list must not hold slots.
  const waitForList: MiddlewareHandler = async (_, next) => {
    await listing.untilLoaded();
    await next();
  };
  const needsList = (path: string) => path === listPath || path === "/api/stats";
  app.use(forMethods(readMethods, forPaths(needsList, waitForList)));
  const indexBlock = createIndexBlock({ chains, watch, trustedHops: trustedProxies });
  // Ponder's metrics count all reads of the API by the path of this one middleware.
  app.use("/api/*", forMethods(readMethods, indexBlock));
  app.use(graphqlPath, forMethods(["POST"], indexBlock));
  app.use(forMethods(readMethods, forPaths(isInApi, createReadLanes({ trustedHops: trustedProxies }))));
  const listSemaphores = createListSemaphores({ trustedHops: trustedProxies });
  app.route("/", createManifest({ chains, baseUrl, docsUrl, routes }));
  const { readyMaxLagSeconds } = environment;
  const isOld = (report: IndexReport) => isStale(report, readyMaxLagSeconds);
  app.route("/", createHealth({ db: stateDb, watch, isStale: isOld }));
  app.route(
    "/",
    createListTokens({
      chains,
      db,
      listing,
      baseUrl,
      cacheBytes: listCacheBytes,
      semaphores: listSemaphores,
    }),
  );
  app.route("/", createVanitySalt({ chains, db, getClient, trustedHops: trustedProxies }));
  app.route(
    "/",
    createRegisterTokenRoute({ chains, db, registerToken, baseUrl, trustedHops: trustedProxies }),
  );
  app.route("/", createCurve({ chains, db }));
  app.route("/", createQuote({ chains, db, getClient }));
  app.route("/", createFirstBuy({ chains, db, getClient }));
  app.route("/", createMetadata({ chains, db }));
  app.route("/", createHolders({ chains, db }));
  app.route("/", createHolderDays({ chains, db }));
  app.route("/", createToken({ chains, db, readDexFee, baseUrl }));
  app.route("/", createRegistrationHistory({ chains, db }));
  app.route("/", createStats({ chains, db, countListed: listing.count }));
  app.route("/", createDays({ chains, db }));
  app.route("/", createCandles({ chains, db }));
  app.route(
    "/",
    createUdf({
      chains,
      db,
      searchTokens: createSearchTokens({ db, listing, semaphores: listSemaphores }),
    }),
  );
  app.route("/", createTrades({ chains, db }));
  app.route("/", createTraders({ chains, db, readDexFee }));
  app.route("/", createLiquidity({ chains, db }));
  app.route("/", createTransfers({ chains, db }));
  app.route("/", createTransactions({ chains, getClient }));
  app.route("/", createAccount({ chains, db, readDexFee }));
  app.route("/", createAccountDays({ chains, db }));
  app.route("/", createLeaderboard({ chains, db, boards: createBoards(boardsPool) }));
  const aggregators = { chains, db, getDexAddresses, trustedHops: trustedProxies };
  app.route("/", createDexScreener(aggregators));
  app.route("/", createCoinGecko(aggregators));
  app.route("/", createTokenListRoute({ chains, tokenList: createTokenList(db) }));
  app.route("/", createStreamRoute({ chains, stream, trustedHops: trustedProxies }));
  app.route("/", createEvents({ chains, stream, trustedHops: trustedProxies }));
  if (alerts === undefined) app.use("/api/alerts/*", refuseAlerts);
  else app.route("/", createAlerts({ chains, alerts, baseUrl, trustedHops: trustedProxies }));
  app.route("/", createUploadImage({ images, trustedHops: trustedProxies }));
  app.use(
    "/ipfs/:cid",
    refuseHiddenImages({
      db,
      denyList: denyList.current,
      semaphoreOf: createImageSemaphore({ trustedHops: trustedProxies }),
    }),
  );
  app.route("/ipfs", createImageGateway({ images, trustedHops: trustedProxies }));
  app.openAPIRegistry.registerPath(gatewayRoute);
  if (isSqlOn === true) app.route("/", createSql({ run: sql?.run, trustedHops: trustedProxies }));
  app.route(
    "/",
    createTexts({
      baseUrl,
      docsUrl,
      securityContact,
      isMcpOn,
      hasExplorer: environment.isExplorerOn,
      hasAlerts: environment.alerts !== undefined,
      routes,
    }),
  );
  app.route("/", createClientPackage());
  app.route("/", createOpenApi({ baseUrl, docsUrl, routes }));
  app.route("/", createDocs({ baseUrl }));
  return app;
}
