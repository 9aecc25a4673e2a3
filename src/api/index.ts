import { db } from "ponder:api";
import schema from "ponder:schema";
import { graphql } from "ponder";
import { createApp } from "./app.ts";
import { graphqlLimits } from "./graphql/limits.ts";

const app = createApp({
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
