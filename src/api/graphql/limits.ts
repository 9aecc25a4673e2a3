/** What one GraphQL query may ask for. The README lists these; a test holds the two together. */
export const graphqlLimits = {
  /** Nested fields. The introspection query of GraphQL editors has 21. */
  depth: 24,
  aliases: 20,
  /** Lexical tokens of the query text. */
  tokens: 1_000,
  /** Rows read, as `queryCost` weighs them. */
  cost: 20_000,
  /** Bytes of the request body. */
  bodyBytes: 64 * 1_024,
} as const;
