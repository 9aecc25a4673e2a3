/** What an analyst asks, in GraphQL and as one would write it in SQL. Both answers must be equal. */
export type Question = {
  name: string;
  graphql: string;
  /** The field of the answer that has the rows: a dot leads inside. */
  answer: string;
  /** Columns are named as the fields, and have the values that JSON has. */
  sql: string;
  /** What it is asked of, one after the other: variables of the query by name, and parameters of the SQL in their order. */
  asked: (subjects: Subjects) => Asked[];
};

export type Asked = { variables: Record<string, unknown>; values: unknown[] };

/** Whom and what the questions are about, spread over the fixture. */
export type Subjects = {
  /** Tokens with many trades: each with a page of its trades to go on from, and a day on which it was traded. */
  tokens: { address: string; page: Page; day: number }[];
  /** Tokens that nobody chose. */
  anyTokens: { address: string; name: string; creator: string }[];
  traders: string[];
  creators: string[];
  /** Seconds since 1970. */
  moments: number[];
};

/** The end of a page of trades. */
export type Page = { cursor: string; timestamp: string; id: string };

/** Trades on a page, of which the next one is asked. */
export const tradesOnPage = 100;
