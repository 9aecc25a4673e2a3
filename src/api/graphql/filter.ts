import { splitEventId } from "../market/event-id.ts";
import type { ApiColumn, ApiTable } from "./tables.ts";

/** The conditions of a `where`, all of which must hold. */
export type Filter = {
  /** Columns that must equal one of the values. An unknown value is undefined. */
  equal: Map<string, (string | undefined)[]>;
  /** Columns that must lie in a range. */
  ranges: Set<string>;
  /** Whether there are conditions that no index can answer. */
  hasUnindexed: boolean;
  /** One filter of each group must hold. */
  anyOf: Filter[][];
};

export function emptyFilter(): Filter {
  return { equal: new Map(), ranges: new Set(), hasUnindexed: false, anyOf: [] };
}

/** The operators of Ponder's filters, longest first, as Ponder looks for them. */
const operators =
  "_not_starts_with_nocase _not_ends_with_nocase _not_contains_nocase _starts_with_nocase _ends_with_nocase _not_starts_with _contains_nocase _not_ends_with _not_contains _starts_with _ends_with _contains _not_in _not _gte _lte _in _gt _lt".split(
    " ",
  );

/** Splits the name of a condition, such as `timestamp_gt`, into column and operator; undefined if there is no such column. */
export function parseConditionName(
  name: string,
  { columns }: ApiTable,
): { name: string; column: ApiColumn; operator: string } | undefined {
  const operator = operators.find((candidate) => name.endsWith(candidate)) ?? "";
  const columnName = name.slice(0, name.length - operator.length);
  const column = columns.get(columnName);
  return column === undefined ? undefined : { name: columnName, column, operator };
}

/**
 * Conditions that nearly every row meets, so that reading an index in order fills a page at once. A token has one launchpad, at most
 * one pair and a few burn addresses: all other holders are accounts.
 */
const matchesNearlyAll = new Map([["holder.kind", "account"]]);

/** Summarises a `where`. Malformed parts count as conditions without an index. */
export function readFilter(where: unknown, table: ApiTable): Filter {
  const filter = emptyFilter();
  if (typeof where !== "object" || where === null) return filter;
  for (const [name, value] of Object.entries(where)) {
    if (name === "AND") {
      for (const part of listOf(value)) mergeInto(filter, readFilter(part, table));
    } else if (name === "OR") {
      // Ponder treats each condition as a separate branch, even if several are in one object.
      const branches = listOf(value).flatMap((part) =>
        Object.entries(part ?? {}).map(([inner, innerValue]) => readFilter({ [inner]: innerValue }, table)),
      );
      if (branches.length > 0) filter.anyOf.push(branches);
    } else {
      mergeInto(filter, readCondition(name, value, table));
    }
  }
  return filter;
}

function readCondition(name: string, value: unknown, table: ApiTable): Filter {
  const filter = emptyFilter();
  const condition = parseConditionName(name, table);
  if (condition === undefined) return { ...filter, hasUnindexed: true };
  if (condition.operator === "" || condition.operator === "_in") {
    if (matchesNearlyAll.get(`${table.name}.${condition.name}`) === value) return filter;
    const values = condition.operator === "" ? [value] : listOf(value);
    if (values.includes(null)) return { ...filter, hasUnindexed: true };
    const texts = values.map((one) => toStatisticsText(one, condition.column));
    if (condition.column.kind === "eventId") return equalIds(condition.name, texts);
    filter.equal.set(condition.name, [...new Set(texts)]);
  } else if (/^_[gl]te?$/.test(condition.operator)) {
    filter.ranges.add(condition.name);
  } else {
    filter.hasUnindexed = true;
  }
  return filter;
}

/** Ids of events name their chain, too; those of earlier versions don't. */
function equalIds(name: string, texts: (string | undefined)[]): Filter {
  const filter = emptyFilter();
  const parts = texts.map((text) => splitEventId(text ?? ""));
  filter.equal.set(name, [...new Set(parts.map((part) => part?.id))]);
  if (parts.every((part) => part?.chainId !== undefined)) {
    filter.equal.set("chainId", [...new Set(parts.map((part) => String(part?.chainId)))]);
  }
  return filter;
}

/** Adds the other filter's conditions to `filter`. */
export function mergeInto(filter: Filter, other: Filter): void {
  for (const [column, values] of other.equal) {
    if (filter.equal.has(column)) filter.hasUnindexed = true;
    else filter.equal.set(column, values);
  }
  for (const column of other.ranges) filter.ranges.add(column);
  filter.hasUnindexed ||= other.hasUnindexed;
  filter.anyOf.push(...other.anyOf);
}

/** Formats a value as Postgres does in its statistics. */
function toStatisticsText(value: unknown, { kind }: ApiColumn): string | undefined {
  if (value === undefined) return undefined;
  // Padded to whole bytes, as Ponder does.
  if (kind === "hex")
    return String(value)
      .replace(/^..(?=(..)*.$)/s, "0x0")
      .toLowerCase();
  if (kind === "boolean") return value === true || value === "true" ? "t" : "f";
  if (kind === "int8" || kind === "numeric") {
    const number = bigintOf(value);
    return number === undefined ? undefined : String(number);
  }
  return String(value);
}

/** Reads what GraphQL takes for a BigInt; undefined for anything else. */
export function bigintOf(value: unknown): bigint | undefined {
  try {
    return BigInt(value as string);
  } catch {
    return undefined;
  }
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Whether a `where` itself has the one chain that its rows are of. */
export const hasChainId = (where: unknown): where is Record<string, unknown> =>
  typeof where === "object" && where !== null && "chainId" in where && typeof where.chainId === "number";
