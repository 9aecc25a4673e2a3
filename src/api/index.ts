import { db } from "ponder:api";
import schema from "ponder:schema";
import { graphql } from "ponder";
import { readEnvironment } from "../../config/env.ts";
import { createApp } from "./app.ts";
import { createEdge } from "./edge/edge.ts";
import { graphqlLimits } from "./graphql/limits.ts";
import { createImages } from "./images.ts";
import { createPool, openDatabase } from "./lib/database.ts";
import { assertGuarded, guardPonderServer } from "./ponder/http-server.ts";
import { serveMetrics } from "./ponder/metrics-server.ts";
import { createRest } from "./rest.ts";
import { createStream } from "./stream.ts";

// Ponder gives a statement of the API 30 seconds and has no setting for it. New connections read this one.
type ReadonlyPool = { options: { statement_timeout?: number } };
const { PONDER_DATABASE } = globalThis as { PONDER_DATABASE?: { driver?: { readonly?: ReadonlyPool } } };
const graphqlPool = PONDER_DATABASE?.driver?.readonly;
if (graphqlPool !== undefined) {
  graphqlPool.options.statement_timeout = graphqlLimits.statementSeconds * 1_000;
}

const environment = readEnvironment();

const edge = createEdge({
  connectionsPerAddress: environment.connectionsPerAddress,
  // Ponder serves them beside our app. The first is for operators, the others ask the database each time.
  hidden: new Set(["/metrics"]),
  shared: new Set(["/health", "/ready", "/status"]),
});
guardPonderServer(edge);
serveMetrics(environment.metrics);

const poolOf = (purpose: string, connections: number) =>
  createPool({
    url: environment.databaseUrl,
    name: `${environment.databaseSchema}_${purpose}`,
    connections,
    statementSeconds: 10,
  });
const database = openDatabase(poolOf("rest", 10));

const app = createApp({
  schema,
  guard: assertGuarded(edge),
  rest: createRest({
    environment,
    db: database,
    registryPool: poolOf("registry", 3),
    controlPool: poolOf("control", 3),
    images: createImages(environment),
    stream: createStream(environment, database),
  }),
  graphql: graphql(
    { db, schema },
    {
      maxOperationDepth: graphqlLimits.depth,
      maxOperationAliases: graphqlLimits.aliases,
      maxOperationTokens: graphqlLimits.tokens,
    },
  ),
});

export default app;
