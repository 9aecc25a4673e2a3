/** An analyst's question in GraphQL and in handwritten SQL. Both answers must be equal. */
export type Question = {
  name: string;
  graphql: string;
  /** The path of the field that has the rows, separated by dots. */
  answer: string;
  /** Its columns have the names of the fields and the same values in JSON. */
  sql: string;
  /** The inputs it is asked with, in turn: the variables of the query and the parameters of the SQL. */
  asked: (subjects: Subjects) => QuestionInput[];
};

export type QuestionInput = { variables: Record<string, unknown>; values: unknown[] };

/** What the questions are about, spread over the fixture. */
export type Subjects = {
  /** Tokens with many trades, each with the end of its first page of trades and a day on which it was traded. */
  tokens: { address: string; page: Page; day: number }[];
  /** Arbitrary tokens. */
  anyTokens: { address: string; name: string; creator: string }[];
  traders: string[];
  creators: string[];
  /** Unix times in seconds. */
  moments: number[];
};

/** The end of a page of trades. */
export type Page = { cursor: string; timestamp: string; id: string };

/** The number of trades per page. */
export const tradesOnPage = 100;
