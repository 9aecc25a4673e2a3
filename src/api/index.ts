import { db } from "ponder:api";
import schema from "ponder:schema";
import { graphql } from "ponder";
import { readEnvironment } from "../../config/env.ts";
import { createApp } from "./app.ts";
import { cacheStatistics } from "./graphql/cached-statistics.ts";
import { graphqlLimits } from "./graphql/limits.ts";
import { limitPonderDatabase, type PonderDatabase } from "./graphql/ponder-database.ts";
import { readTableStatistics } from "./graphql/table-statistics.ts";
import { createImages } from "./images.ts";
import { createPool, openDatabase } from "./lib/database.ts";
import { createRest } from "./rest.ts";
import { createStream } from "./stream.ts";

const { PONDER_DATABASE } = globalThis as { PONDER_DATABASE?: PonderDatabase };
if (PONDER_DATABASE !== undefined) limitPonderDatabase(PONDER_DATABASE);

const environment = readEnvironment();
const poolOf = (purpose: string, connections: number) =>
  createPool({
    url: environment.databaseUrl,
    name: `${environment.databaseSchema}_${purpose}`,
    connections,
    statementSeconds: 10,
  });
const pool = poolOf("rest", 10);
const database = openDatabase(pool);

const app = createApp({
  schema,
  statistics: cacheStatistics(() => readTableStatistics(database, environment.databaseSchema)),
  rest: createRest({
    environment,
    pool,
    db: database,
    registryPool: poolOf("registry", 3),
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
