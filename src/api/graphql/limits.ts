/** What one GraphQL query may ask for. docs/graphql.md lists these; a test holds the two together. */
export const graphqlLimits = {
  /** Nested fields. The introspection query of GraphQL editors has 21. */
  depth: 24,
  aliases: 20,
  /** Lexical tokens of the query text. */
  tokens: 1_000,
  /** Fields, once fragments are written out. */
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
  /** Queries that run at the same time; others wait for their turn. */
  concurrency: 4,
  /** From this cost on, queries run one at a time. */
  heavyCost: 2_000,
  /** Queries that wait. One more is told to come back later. */
  waiting: 200,
} as const;

/** Rows of one page, as Ponder has it. */
export const pageLimits = { default: 50, most: 1_000 } as const;

export const whereLimits = {
  /** Conditions in one `where`, those inside AND and OR included. */
  conditions: 50,
  /** Digits of an integer: what 256 bits take. */
  digits: 78,
} as const;
