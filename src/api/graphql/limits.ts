/** Limits of GraphQL queries. docs/graphql.md lists them; a test compares the two. */
export const graphqlLimits = {
  /** Nested fields. The introspection query of GraphQL editors has 21. */
  depth: 24,
  aliases: 20,
  /** Lexical tokens of the query text. */
  tokens: 1_000,
  /** Fields, with fragments expanded. */
  fields: 500,
  /** Rows, as `queryCost` weighs them. */
  cost: 20_000,
  /** Bytes of the request body. */
  bodyBytes: 64 * 1_024,
  /** Seconds for one SQL statement. */
  statementSeconds: 10,
  /** Seconds for all statements of a query. */
  querySeconds: 30,
  /** Bytes of the values in an answer. */
  answerBytes: 16_000_000,
  /** Queries that run at the same time; others are queued. */
  concurrency: 4,
  /** From this cost on, queries run one at a time. */
  heavyCost: 2_000,
  /** Trades, or positions, that one field may read to sum them by group. */
  groupedRows: 100_000,
  /** Days that one field may sum. */
  groupedDays: 400,
  /** Queries that may be queued; further ones are refused with 503. */
  waiting: 200,
} as const;

/** Rows of one page, the same as in Ponder. */
export const pageLimits = { default: 50, max: 1_000 } as const;

export const whereLimits = {
  /** Conditions in one `where`, including those inside AND and OR. */
  conditions: 50,
  /** Decimal digits of an integer: as many as 256 bits need. */
  digits: 78,
} as const;
