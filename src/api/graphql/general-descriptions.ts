/** Descriptions of types and their fields, by the type's name. */
export type Descriptions = Record<string, { description: string; fields: Record<string, string> }>;

/** Describes the types that Ponder adds to those of the tables. */
export const generalDescriptions: Descriptions = {
  Query: {
    description: "Everything that you can query: for each table one row by its key, and lists.",
    fields: { _meta: "The last indexed block of each chain." },
  },
  Page: {
    description: "A page of a list.",
    fields: {
      items: "The rows of the page.",
      pageInfo: "Where the page begins and ends, and whether there are more rows.",
      totalCount: "The number of rows in the whole list.",
    },
  },
  PageInfo: {
    description: "Where a page begins and ends, and whether there are more rows.",
    fields: {
      hasNextPage: "Whether there are rows after this page.",
      hasPreviousPage: "Whether there are rows before this page.",
      startCursor: "The cursor of the page's first row, for `before`; null for an empty page.",
      endCursor: "The cursor of the page's last row, for `after`; null for an empty page.",
    },
  },
  ViewPageInfo: {
    description: "Whether there are rows before and after a page of a list that has no cursors.",
    fields: {
      hasNextPage: "Whether there are rows after this page.",
      hasPreviousPage: "Whether there are rows before this page.",
    },
  },
  Meta: {
    description: "How far the chains are indexed.",
    fields: {
      status:
        "By chain name: the chain's id, and number and timestamp (seconds since 1970) of its last indexed block (`block`), and of the last that no reorg can take back (`final`).",
    },
  },
  BigInt: { description: "An integer of any size, as a decimal string.", fields: {} },
  JSON: { description: "A JSON value.", fields: {} },
};

/** Describes the arguments of lists. */
export const pageArguments: Record<string, string> = {
  where: "Conditions, all of which must hold.",
  orderBy: "The column to order by, as a string. Ties, and lists without it, are in key order.",
  orderDirection: "`asc` (default) or `desc`. Nulls come last in ascending and first in descending order.",
  before: "The page ends before this cursor: the `startCursor` of the following page.",
  after: "The page begins after this cursor: the `endCursor` of the previous page.",
  limit: "The maximum number of rows on the page: 50 by default, at most 1,000.",
  offset: "The number of rows to skip. Not together with a cursor.",
  block:
    "Rows as they were after this block, and all rows that they lead to: any block for events (trades, transfers, liquidityChanges, bnbUsdAnswers), one that is not older than the last final block for all others. A list needs `chainId` in `where`.",
};

/** Describes conditions, by the suffix of their names. */
export const operatorWords: Record<string, string> = {
  AND: "Conditions, all of which must hold.",
  OR: "Conditions, at least one of which must hold.",
  "": "Equals this.",
  _not: "Does not equal this.",
  _in: "Equals one of these.",
  _not_in: "Equals none of these.",
  _gt: "Greater than this.",
  _gte: "Greater than or equal to this.",
  _lt: "Less than this.",
  _lte: "Less than or equal to this.",
  _contains: "Contains this. `%` and `_` are wildcards.",
  _not_contains: "Does not contain this. `%` and `_` are wildcards.",
  _starts_with: "Begins with this. `%` and `_` are wildcards.",
  _not_starts_with: "Does not begin with this. `%` and `_` are wildcards.",
  _ends_with: "Ends with this. `%` and `_` are wildcards.",
  _not_ends_with: "Does not end with this. `%` and `_` are wildcards.",
  _contains_nocase: "Contains this, ignoring case. `%` and `_` are wildcards.",
  _not_contains_nocase: "Does not contain this, ignoring case. `%` and `_` are wildcards.",
  _starts_with_nocase: "Begins with this, ignoring case. `%` and `_` are wildcards.",
  _not_starts_with_nocase: "Does not begin with this, ignoring case. `%` and `_` are wildcards.",
  _ends_with_nocase: "Ends with this, ignoring case. `%` and `_` are wildcards.",
  _not_ends_with_nocase: "Does not end with this, ignoring case. `%` and `_` are wildcards.",
};
