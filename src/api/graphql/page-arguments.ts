import type { FieldNode } from "graphql";
import { readArgument, type Variables } from "./arguments.ts";
import { checkWhere } from "./column-values.ts";
import { checkCursor } from "./cursor.ts";
import { pageLimits } from "./limits.ts";
import { QueryRefusal } from "./refusal.ts";
import type { ApiTable } from "./tables.ts";

export type PageArguments = {
  where: unknown;
  orderBy: string | undefined;
  limit: number;
  offset: number;
  /** Whether the page begins or ends at a cursor. */
  hasCursor: boolean;
  /** The number of values in the lists of `where`. */
  listValues: number;
};

/** Reads a page's arguments as Ponder does. Throws a QueryRefusal for those that would make Ponder fail. */
export function readPageArguments(field: FieldNode, table: ApiTable, variables: Variables): PageArguments {
  const name = field.name.value;
  const given = (key: string) => readArgument(field, key, variables);
  const where = given("where");
  const listValues = checkWhere(where, table, name);

  const orderBy = given("orderBy");
  if (orderBy !== undefined && !(typeof orderBy === "string" && table.columns.has(orderBy))) {
    throw new QueryRefusal(
      "invalid_argument",
      `orderBy of ${name} must be one of its columns, in quotes: ${[...table.columns.keys()].join(", ")}.`,
    );
  }
  // Ponder takes everything except "asc" as descending.
  const direction = given("orderDirection");
  if (direction !== undefined && direction !== null && direction !== "asc" && direction !== "desc") {
    throw new QueryRefusal(
      "invalid_argument",
      `orderDirection of ${name} must be "asc" or "desc", not ${JSON.stringify(direction).slice(0, 50)}.`,
    );
  }
  const limit = checkWholeNumber(given("limit") ?? pageLimits.default, `limit of ${name}`, pageLimits.max);
  const offset = checkWholeNumber(given("offset") ?? 0, `offset of ${name}`, 2 ** 31 - 1);

  const cursors = ["after", "before"].filter((key) => given(key) !== undefined && given(key) !== null);
  if (cursors.length > 1) {
    throw new QueryRefusal("invalid_argument", `Give ${name} either after or before, not both.`);
  }
  if (cursors.length === 1 && offset > 0) {
    throw new QueryRefusal("invalid_argument", `Give ${name} either a cursor or an offset, not both.`);
  }
  for (const key of cursors) checkCursor(given(key), { table, orderBy, label: `${key} of ${name}` });
  return { where, orderBy, limit, offset, hasCursor: cursors.length > 0, listValues };
}

function checkWholeNumber(value: unknown, label: string, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new QueryRefusal("invalid_argument", `${label} must be a whole number from 0 to ${max}.`);
}
