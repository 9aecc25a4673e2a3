import { db } from "ponder:api";
import schema from "ponder:schema";
import { graphql } from "ponder";
import { createApp } from "./app.ts";
import { graphqlLimits } from "./graphql/limits.ts";

// Ponder gives a statement of the API 30 seconds and has no setting for it. New connections read this one.
type ReadonlyPool = { options: { statement_timeout?: number } };
const { PONDER_DATABASE } = globalThis as { PONDER_DATABASE?: { driver?: { readonly?: ReadonlyPool } } };
const pool = PONDER_DATABASE?.driver?.readonly;
if (pool !== undefined) pool.options.statement_timeout = graphqlLimits.statementSeconds * 1_000;

const app = createApp({
  schema,
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
