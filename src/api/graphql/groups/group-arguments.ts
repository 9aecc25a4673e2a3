import type { FieldNode } from "graphql";
import { daySeconds, isoDay } from "../../market/time.ts";
import { readArgument, type Variables } from "../arguments.ts";
import { checkEqualityValue, checkWhere, checkWholeNumber } from "../column-values.ts";
import { hasChainId, listOf } from "../filter.ts";
import { graphqlLimits, pageLimits } from "../limits.ts";
import { QueryRefusal } from "../refusal.ts";
import { type ApiSchema, type ApiTable, tableOf } from "../tables.ts";

const groupFields = ["tradeGroups", "candlesByDay", "positionTotals"];

/** Whether a field of `Query` sums rows by group. */
export const isGroupField = (name: string) => groupFields.includes(name);

export type Where = Record<string, unknown>;

/** What decides the cost of a field that sums rows. */
type GroupRead = {
  table: ApiTable;
  /** The conditions by which the rows are found. The others are left to those that were read. */
  where: Where;
  /** The number of rows that it returns, at most. */
  rows: number;
  /** The number of rows that it reads, if its arguments say so. */
  read?: number;
  /** The number of values in the lists of `where`. */
  listValues: number;
};

/** The number of stored candles that a day may have. */
const hoursPerDay = 24;

/** The sums that the running totals of trades have. */
export const runningSums = ["trades", "buys", "sells", "volumeWei", "volumeUsdX18"];

/** The fields of a group that are no sums. */
export const groupKeys = ["day", "token", "trader", "venue", "side", "__typename"];

type TradeGroups = { where: Where; by: unknown; selected: Iterable<string> };

/** Whether the selected fields of groups of trades come from running totals, so that the trades themselves need not be read. */
export function hasRunningTotals({ where, by, selected }: TradeGroups): boolean {
  return (
    String(by) === "day" &&
    Object.entries(where).every(
      ([name, value]) => name === "chainId" || (name === "token" && typeof value === "string"),
    ) &&
    [...selected].every((name) => runningSums.includes(name) || groupKeys.includes(name))
  );
}

/** Two trades of each day, and one beside them, of the same second. */
const readsPerDay = 3;

/** The arguments of a field, and the names of the fields that are selected in its groups. */
type GroupField = { field: FieldNode; selected: () => Iterable<string>; variables: Variables };

/** Reads the arguments of a field that sums rows. Throws a QueryRefusal for those that can't be answered. */
export function readGroupArguments(
  { field, selected, variables }: GroupField,
  { tables }: ApiSchema,
): GroupRead {
  const name = field.name.value;
  const argument = (key: string) => readArgument(field, key, variables);
  if (name === "candlesByDay") {
    const table = tableOf("candle", tables);
    for (const key of ["chainId", "token"]) {
      const column = table.columns.get(key);
      if (column !== undefined) checkEqualityValue(argument(key), column, `${key} of ${name}`);
    }
    const days = checkDays(argument("from"), argument("to"), name);
    return { table, where: {}, rows: days, read: hoursPerDay * days, listValues: 0 };
  }
  const table = tableOf(name === "tradeGroups" ? "trade" : "position", tables);
  const where = argument("where");
  const listValues = checkWhere(where, table, name);
  if (!hasChainId(where)) {
    throw new QueryRefusal(
      "invalid_argument",
      `where of ${name} must have a chainId, such as { chainId: 56 }.`,
    );
  }
  const indexed = indexedPart(table, where).where;
  if (name === "positionTotals") return { table, where: indexed, rows: 1, listValues };
  const by = argument("by") ?? "day";
  checkKeys(by, name);
  if ((argument("from") ?? null) === null && hasCondition(where, "timestamp")) {
    // Thirty days would be summed, although the condition may reach back further.
    throw new QueryRefusal(
      "invalid_argument",
      `With a condition on timestamp, ${name} needs from, the first day to sum, such as from: "2026-01-01".`,
    );
  }
  const days = checkDays(argument("from"), argument("to"), name);
  checkWholeNumber(argument("offset") ?? 0, `offset of ${name}`, 2 ** 31 - 1);
  const rows = checkWholeNumber(argument("limit") ?? pageLimits.default, `limit of ${name}`, pageLimits.max);
  const isRunning = hasRunningTotals({ where, by, selected: selected() });
  return { table, where: indexed, rows, listValues, ...(isRunning ? { read: readsPerDay * days } : {}) };
}

/** The columns of which the first that `where` names finds the rows of a chain. */
const indexedColumns: Record<string, string[]> = {
  trade: ["trader", "token"],
  position: ["account", "token"],
};

/** Returns the part of `where` by which an index finds the rows that are read: a key, or the chain and at most one more column. */
export function indexedPart(table: ApiTable, where: Where) {
  const isNamed = (name: string) => where[name] !== undefined && where[name] !== null;
  const isKey = table.key.every(isNamed);
  const name = indexedColumns[table.name]?.find((each) => isNamed(each) || isNamed(`${each}_in`));
  const used = isKey ? table.key : ["chainId", name, `${name}_in`];
  return {
    name,
    /** With a list of values, the index has no order, and one row needs none. */
    isList: isKey || (name !== undefined && !isNamed(name)),
    where: Object.fromEntries(Object.entries(where).filter(([key]) => used.includes(key))),
  };
}

/** Whether there is a condition on a column, also within AND and OR. */
const hasCondition = (where: unknown, column: string): boolean =>
  typeof where === "object" &&
  where !== null &&
  Object.entries(where).some(([name, value]) =>
    name === "AND" || name === "OR"
      ? listOf(value).some((part) => hasCondition(part, column))
      : name.startsWith(column),
  );

function checkKeys(by: unknown, label: string): void {
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
  if (first > last && (to ?? null) !== null) {
    throw new QueryRefusal("invalid_argument", `from of ${label} must not be later than to.`);
  }
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

function dayOf(value: unknown, label: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = Date.parse(`${value}T00:00:00Z`) / 1_000;
  if (typeof value === "string" && Number.isFinite(seconds) && isoDay(seconds) === value) {
    return seconds / daySeconds;
  }
  throw new QueryRefusal("invalid_argument", `${label} must be a day such as 2026-01-01.`);
}
