/** What one GraphQL query may ask for. The README lists these; a test holds the two together. */
export const graphqlLimits = {
  /** Nested fields. The introspection query of GraphQL editors has 21. */
  depth: 24,
  aliases: 20,
  /** Lexical tokens of the query text. */
  tokens: 1_000,
  /** Fields, once fragments are written out. */
  fields: 500,
  /** Rows read, as `queryCost` weighs them. */
  cost: 20_000,
  /** Bytes of the request body. */
  bodyBytes: 64 * 1_024,
  /** Seconds for one SQL statement. */
  statementSeconds: 10,
  /** Queries that run at the same time; others wait for their turn. */
  concurrency: 4,
  /** Queries that wait. One more is told to come back later. */
  waiting: 200,
} as const;
