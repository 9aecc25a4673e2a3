import type { FieldNode } from "graphql";
import { daySeconds, isoDay } from "../../market/time.ts";
import { readArgument, type Variables } from "../arguments.ts";
import { checkEqualityValue, checkWhere, checkWholeNumber } from "../column-values.ts";
import { graphqlLimits, pageLimits } from "../limits.ts";
import { QueryRefusal } from "../refusal.ts";
import type { ApiColumn, ApiSchema, ApiTable } from "../tables.ts";

const groupFields = ["tradeGroups", "candlesByDay", "positionTotals"];

/** Whether a field of `Query` sums rows by group. */
export const isGroupField = (name: string) => groupFields.includes(name);

/** What decides the cost of a field that sums rows. */
type GroupRead = {
  table: ApiTable;
  /** Conditions on the rows that are summed. */
  where: unknown;
  /** The number of rows that it returns, at most. */
  rows: number;
  /** The number of rows that it reads, if its arguments say so. */
  read?: number;
  /** The number of values in the lists of `where`. */
  listValues: number;
};

/** The number of stored candles that a day may have. */
const hoursPerDay = 24;

/** Reads the arguments of a field that sums rows. Throws a QueryRefusal for those that can't be answered. */
export function readGroupArguments(field: FieldNode, { tables }: ApiSchema, variables: Variables): GroupRead {
  const name = field.name.value;
  const given = (key: string) => readArgument(field, key, variables);
  if (name === "candlesByDay") {
    const table = tables.get("candle") as ApiTable;
    checkEqualityValue(given("token"), table.columns.get("token") as ApiColumn, `token of ${name}`);
    const days = checkDays(given("from"), given("to"), name);
    return { table, where: undefined, rows: days, read: hoursPerDay * days, listValues: 0 };
  }
  const table = tables.get(name === "tradeGroups" ? "trade" : "position") as ApiTable;
  const where = given("where");
  const listValues = checkWhere(where, table, name);
  if (typeof where === "object" && typeof (where as { chainId?: unknown } | null)?.chainId !== "number") {
    throw new QueryRefusal(
      "invalid_argument",
      `where of ${name} must have a chainId, such as { chainId: 56 }.`,
    );
  }
  if (name === "positionTotals") return { table, where, rows: 1, listValues };
  checkKeys(given("by"), name);
  checkDays(given("from"), given("to"), name);
  checkWholeNumber(given("offset") ?? 0, `offset of ${name}`, 2 ** 31 - 1);
  const rows = checkWholeNumber(given("limit") ?? pageLimits.default, `limit of ${name}`, pageLimits.max);
  return { table, where, rows, listValues };
}

function checkKeys(by: unknown, label: string): void {
  if (by === undefined) return;
  const keys = Array.isArray(by) ? by : [by];
  if (keys.length === 0 || new Set(keys).size < keys.length) {
    throw new QueryRefusal(
      "invalid_argument",
      `by of ${label} must have at least one key, and each only once.`,
    );
  }
}

/** Days since 1970, both inclusive. */
export type Days = { first: number; last: number };

const defaultDays = 30;

/** Returns the days from `from` to `to`, of which the last one is `today` by default. Throws a QueryRefusal if they are too many. */
export function readDays(
  from: unknown,
  to: unknown,
  { today, label }: { today: number; label: string },
): Days {
  const last = dayOf(to, `to of ${label}`) ?? today;
  const first = dayOf(from, `from of ${label}`) ?? last - defaultDays + 1;
  if (last - first + 1 > graphqlLimits.groupedDays) {
    throw new QueryRefusal(
      "invalid_argument",
      `${label} may sum at most ${graphqlLimits.groupedDays} days: split the time into several queries.`,
    );
  }
  return { first, last };
}

/** Refuses malformed days, and too many. Returns how many there are at most. */
function checkDays(from: unknown, to: unknown, label: string): number {
  const today = dayOf(from, `from of ${label}`) ?? 0;
  const { first, last } = readDays(from, to, { today, label });
  const isOpen = (from ?? null) !== null && (to ?? null) === null;
  return isOpen ? graphqlLimits.groupedDays : Math.max(0, last - first + 1);
}

function dayOf(given: unknown, label: string): number | undefined {
  if (given === undefined || given === null) return undefined;
  const seconds = Date.parse(`${given}T00:00:00Z`) / 1_000;
  if (typeof given === "string" && Number.isFinite(seconds) && isoDay(seconds) === given) {
    return seconds / daySeconds;
  }
  throw new QueryRefusal("invalid_argument", `${label} must be a day such as 2026-01-01.`);
}
