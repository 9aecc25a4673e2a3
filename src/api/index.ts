import schema from "ponder:schema";
import type { Hono } from "hono";
import { readEndpointStatus } from "../../chain-access/gate/start-gate.ts";
import { readEnvironment } from "../../config/env.ts";
import { localRpcUrl } from "../../config/process-environment.ts";
import { startActivity } from "./activity/start-activity.ts";
import { readAlertMetrics, startAlerts } from "./alerts/alert-service.ts";
import { createApp } from "./app.ts";
import { createChainClients } from "./chain/chain-client.ts";
import { createChains } from "./chain/chains.ts";
import { readEndpointMetrics, readLossMetrics } from "./chain/endpoint-metrics.ts";
import { readConnections } from "./concurrency/read-lanes.ts";
import { createPool, openDatabase } from "./database/database.ts";
import { createReadPools } from "./database/read-pools.ts";
import { createExplorer } from "./explorer/explorer.ts";
import { readRepairs } from "./freshness/freshness.query.ts";
import { readConnectionMetrics, readIndexMetrics, startOverdrafts } from "./freshness/index-metrics.ts";
import { startIndexWatch } from "./freshness/index-watch.ts";
import { createReady } from "./freshness/ready.ts";
import { startSelfChecks } from "./freshness/self-checks.ts";
import { createStatus } from "./freshness/status.ts";
import { createGraphql } from "./graphql/create-graphql.ts";
import { cacheStatistics } from "./graphql/estimate-rows.ts";
import { graphqlLimits } from "./graphql/limits.ts";
import { readTableStatistics } from "./graphql/table-statistics.query.ts";
import { healthRoute } from "./health/health.routes.ts";
import { readProblemMetrics } from "./http/problem.ts";
import { createAccessLog } from "./http-limits/access-log.ts";
import { createHttpLimits } from "./http-limits/http-limits.ts";
import type { Override } from "./http-limits/limits.ts";
import { createImages } from "./images/create-images.ts";
import { readDiskMetrics } from "./images/free-disk.ts";
import { createUploadGate } from "./images/image-routes.ts";
import { uploadImageRoute } from "./images/images.routes.ts";
import { createMcp, loadMcpServer } from "./mcp/mcp.ts";
import { watchDenyList } from "./moderation/watch-deny-list.ts";
import { assertGuarded, guardPonderServer, serveMetrics } from "./ponder/http-server.ts";
import { awaitsChains } from "./ponder/internals.ts";
import { limitGraphqlPool } from "./ponder/ponder-graphql.ts";
import { createRateLimits } from "./rate-limits.ts";
import { createRest } from "./rest.ts";
import { startSql } from "./sql/run-statement.ts";
import { eventsRoute, streamRoute } from "./stream/stream.routes.ts";
import { createStream } from "./stream/stream-service.ts";
import { createListing } from "./tokens/list/order/listing.ts";

/** For when there is no replica: a write is visible to reads at once. */
const noReplication = async () => {};

const environment = readEnvironment();
const { databaseUrl, databaseReadUrl, databaseSchema } = environment;

const createPoolFor = (url: string | undefined, purpose: string, connections: number) =>
  createPool({ url, name: `${databaseSchema}_${purpose}`, connections, statementSeconds: 10 });
const reads = createReadPools({ databaseUrl, databaseReadUrl, name: databaseSchema });
const { route } = reads;
const createReadPool = (purpose: string, connections: number, statementSeconds = 10) =>
  reads.pool({ name: `${databaseSchema}_${purpose}`, connections, statementSeconds });
const controlPool = createPoolFor(databaseUrl, "control", 3);
const controlDb = openDatabase(controlPool);
// The state of the index is read from where answers are read, with a short timeout: a silent replica must not hold anyone up.
const stateDb = route === undefined ? controlDb : openDatabase(createReadPool("state", 2, 4));
const getClient = createChainClients();
const { chains } = environment;
const indexed = createChains(chains);
const readSelfCheck = (chainId: number) => selfChecks.report(chainId);
const watch = startIndexWatch({
  chains,
  db: stateDb,
  primary: controlDb,
  route,
  getClient,
  readSelfCheck,
});
const selfChecks = startSelfChecks({
  seconds: environment.selfCheckSeconds,
  chains,
  databaseUrl,
  databaseSchema,
  watch,
});

startActivity({ databaseUrl, databaseSchema });
const overdrafts = startOverdrafts(chains.map(({ id }) => id));

const images = createImages(environment);
/** Size of a token's image on the preview card of a shared link. */
const cardPicturePixels = 400;

const database = openDatabase(createReadPool("rest", readConnections));
const listing = createListing({
  db: database,
  // A million tokens, or all trades of a day, take ten seconds and more to read on a slow machine.
  listDb: openDatabase(createReadPool("list", 2, 120)),
});
const stream = createStream(environment, { db: database, reads });
const alerts = startAlerts(environment);

const readReady = createReady({
  watch,
  readRepairs: () => readRepairs(stateDb),
  warmUp: async () => {
    const { isMcpOn } = environment;
    await Promise.all([listing.warm(), stream.begin(), isMcpOn ? loadMcpServer() : undefined]);
  },
  maxLagSeconds: environment.readyMaxLagSeconds,
  awaitsChains,
});

const sql = startSql(environment);
// Counted in a pool of its own, however busy the other pools are.
const rateLimits = createRateLimits(environment, controlPool);
const httpLimits = createHttpLimits({
  connectionsPerAddress: environment.connectionsPerAddress,
  trustedHops: environment.trustedProxies,
  // Ponder serves these paths outside of our app. /metrics is for operators; the others query the database each time.
  hidden: new Set(["/metrics"]),
  shared: new Set(["/health", "/ready", "/status"]),
  overrides: new Map<string, Override>([
    ["/ready", readReady],
    [
      "/status",
      createStatus({
        db: stateDb,
        route,
        chains,
        readEndpoints: readEndpointStatus,
        readSelfCheck,
        readRepairs: () => readRepairs(stateDb),
      }),
    ],
  ]),
  prompt: new Set([healthRoute.path]),
  patient: new Set([streamRoute.path, eventsRoute.path]),
  refuse: rateLimits?.refuse,
  onRequest: environment.isAccessLogOn ? createAccessLog(environment.trustedProxies) : undefined,
  gates: new Map([
    [uploadImageRoute.path, createUploadGate({ images, trustedHops: environment.trustedProxies })],
  ]),
});
guardPonderServer(httpLimits, environment.port);
serveMetrics(environment.metrics, async () => {
  const reads = [
    readEndpointMetrics(),
    readLossMetrics(),
    readIndexMetrics(readReady, environment.readyMaxLagSeconds),
    readDiskMetrics(environment.dataDir),
    readConnectionMetrics(stateDb),
    stream.readMetrics(),
    readAlertMetrics(alerts),
    readProblemMetrics(),
    sql?.readMetrics() ?? "",
  ];
  return (await Promise.all(reads)).join("") + overdrafts.readMetrics() + selfChecks.readMetrics();
});
limitGraphqlPool(reads, graphqlLimits.statementSeconds);

const app: Hono = createApp({
  schema,
  chainIds: environment.chains.map(({ id }) => id),
  trustedHops: environment.trustedProxies,
  guard: assertGuarded(httpLimits),
  rateLimit: rateLimits?.middleware,
  statistics: cacheStatistics(() => readTableStatistics(database, databaseSchema)),
  rest: createRest({
    environment,
    db: database,
    stateDb,
    written: route?.waitForOwnWrites ?? noReplication,
    registryPool: createPoolFor(databaseUrl, "registry", 3),
    boardsPool: createReadPool("boards", 1, 50),
    images,
    sql,
    denyList: watchDenyList(environment.moderationFile),
    stream,
    alerts,
    listing,
    getClient,
    watch,
  }),
  graphql: createGraphql(schema),
  explorer: environment.isExplorerOn
    ? createExplorer({
        localRpcUrl: localRpcUrl(),
        hasAlerts: environment.alerts !== undefined,
        defaultChain: indexed.choose().id,
        baseUrl: environment.baseUrl,
        brand: environment.brand,
        service: () => app,
        readPicture: (cid, client) => images.readPicture(cid, cardPicturePixels, client),
        trustedHops: environment.trustedProxies,
      })
    : undefined,
  mcp: environment.isMcpOn
    ? createMcp({
        chains: indexed,
        getClient,
        baseUrl: environment.baseUrl,
        trustedHops: environment.trustedProxies,
        hasAlerts: environment.alerts !== undefined,
        service: () => app,
      })
    : undefined,
});

export default app;
