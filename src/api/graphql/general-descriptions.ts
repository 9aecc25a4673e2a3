/** Descriptions of types and their fields, by the type's name. */
export type Descriptions = Record<string, { description: string; fields: Record<string, string> }>;

/** Describes the types that Ponder adds to those of the tables. */
export const generalDescriptions: Descriptions = {
  Query: {
    description: "All queries: for each table one row by its key, and lists.",
    fields: { _meta: "The block up to which each chain is indexed." },
  },
  Page: {
    description: "A page of a list.",
    fields: {
      items: "The rows of the page.",
      pageInfo: "Where the page begins and ends, and whether there are more.",
      totalCount: "How many rows the whole list has.",
    },
  },
  PageInfo: {
    description: "Where a page begins and ends, and whether there are more.",
    fields: {
      hasNextPage: "Whether there are rows after the page.",
      hasPreviousPage: "Whether there are rows before the page.",
      startCursor: "The cursor of the page's first row, for `before`; null for an empty page.",
      endCursor: "The cursor of the page's last row, for `after`; null for an empty page.",
    },
  },
  ViewPageInfo: {
    description: "Whether there are rows before and after a page of a list that has no cursors.",
    fields: {
      hasNextPage: "Whether there are rows after the page.",
      hasPreviousPage: "Whether there are rows before the page.",
    },
  },
  Meta: {
    description: "How far the index is.",
    fields: {
      status:
        "By chain name: the chain's id, and the number and timestamp (seconds since 1970) of its last indexed block.",
    },
  },
  BigInt: { description: "An integer of any size, as a decimal string.", fields: {} },
  JSON: { description: "A JSON value.", fields: {} },
};

/** Describes the arguments of lists. */
export const pageArguments: Record<string, string> = {
  where: "Conditions, all of which must hold.",
  orderBy:
    "The name of the column to order by, as a string. Ties, and lists without `orderBy`, are ordered by the key.",
  orderDirection: "`asc` (default) or `desc`. Nulls come last in ascending and first in descending order.",
  before: "Returns the page that ends before this cursor: `startCursor` of the following page.",
  after: "Returns the page that begins after this cursor: `endCursor` of the preceding page.",
  limit: "The maximum number of rows on the page: 50 by default, up to 1,000.",
  offset: "How many rows to skip. Can't be combined with a cursor.",
};

/** Describes conditions, by the suffix of their names. */
export const operatorWords: Record<string, string> = {
  AND: "Conditions, all of which must hold.",
  OR: "Conditions, one of which must hold.",
  "": "Equals this.",
  _not: "Does not equal this.",
  _in: "Equals one of these.",
  _not_in: "Equals none of these.",
  _gt: "Greater than this.",
  _gte: "This or greater.",
  _lt: "Less than this.",
  _lte: "This or less.",
  _contains: "Contains this. `%` and `_` are wildcards.",
  _not_contains: "Does not contain this. `%` and `_` are wildcards.",
  _starts_with: "Begins with this. `%` and `_` are wildcards.",
  _not_starts_with: "Does not begin with this. `%` and `_` are wildcards.",
  _ends_with: "Ends with this. `%` and `_` are wildcards.",
  _not_ends_with: "Does not end with this. `%` and `_` are wildcards.",
  _contains_nocase: "Contains this in any case. `%` and `_` are wildcards.",
  _not_contains_nocase: "Does not contain this in any case. `%` and `_` are wildcards.",
  _starts_with_nocase: "Begins with this in any case. `%` and `_` are wildcards.",
  _not_starts_with_nocase: "Does not begin with this in any case. `%` and `_` are wildcards.",
  _ends_with_nocase: "Ends with this in any case. `%` and `_` are wildcards.",
  _not_ends_with_nocase: "Does not end with this in any case. `%` and `_` are wildcards.",
};
