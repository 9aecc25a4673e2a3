/** What is said of a table, a view, an enum or another type, and of its fields. */
export type Descriptions = Record<string, { description: string; fields: Record<string, string> }>;

/** Of the types that Ponder adds to those of the tables. */
export const generalDescriptions: Descriptions = {
  Query: {
    description: "Everything that can be asked for: of each table one row by its key, and lists.",
    fields: { _meta: "Up to which block each chain is indexed." },
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
        "By chain name: its id, and number and timestamp (seconds since 1970) of the last indexed block.",
    },
  },
  BigInt: { description: "An integer of any size, as a decimal string.", fields: {} },
  JSON: { description: "A JSON value.", fields: {} },
};

/** Of the arguments of lists. */
export const pageArguments: Record<string, string> = {
  where: "Conditions, all of which must hold.",
  orderBy:
    "The column that orders the list, as a string. Rows that are equal in it, and lists without it, are in the order of the key.",
  orderDirection: "`asc` (default) or `desc`. Nulls come last in ascending and first in descending order.",
  before: "The cursor before which the page ends: `startCursor` of the page after it.",
  after: "The cursor after which the page begins: `endCursor` of the page before it.",
  limit: "The most rows of the page: 50 by default, 1,000 at most.",
  offset: "How many rows to skip. Not together with a cursor.",
};

/** Of conditions, by the end of their names. */
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
