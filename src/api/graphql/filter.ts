import type { ApiColumn } from "./column-kinds.ts";
import type { ApiTable } from "./tables.ts";

/** A `where` that holds when all of its parts do. */
export type Filter = {
  /** Columns that equal one of the values. An unknown value is undefined. */
  equal: Map<string, (string | undefined)[]>;
  /** Columns that lie in a range. */
  ranges: Set<string>;
  /** Whether there are conditions that no index answers. */
  rest: boolean;
  /** Of each group one filter must hold. */
  anyOf: Filter[][];
};

export function emptyFilter(): Filter {
  return { equal: new Map(), ranges: new Set(), rest: false, anyOf: [] };
}

/** The operators of Ponder's filters, longest first, as Ponder looks for them. */
const operators =
  "_not_starts_with_nocase _not_ends_with_nocase _not_contains_nocase _starts_with_nocase _ends_with_nocase _not_starts_with _contains_nocase _not_ends_with _not_contains _starts_with _ends_with _contains _not_in _not _gte _lte _in _gt _lt".split(
    " ",
  );

/** Splits the name of a condition, `timestamp_gt`, into column and operator; undefined for a column that there is not. */
export function condition(
  name: string,
  { columns }: ApiTable,
): { name: string; column: ApiColumn; operator: string } | undefined {
  const operator = operators.find((candidate) => name.endsWith(candidate)) ?? "";
  const columnName = name.slice(0, name.length - operator.length);
  const column = columns.get(columnName);
  return column === undefined ? undefined : { name: columnName, column, operator };
}

/**
 * Conditions that leave nearly every row in, so that an index read in its order brings a page at once. A token has one
 * launchpad, at most one pair and a few burn addresses: every other holder is an account.
 */
const nearlyAlways = new Map([["holder.kind", "account"]]);

/** What a `where` asks of a table. What is malformed in it counts as a condition without an index. */
export function readFilter(where: unknown, table: ApiTable): Filter {
  const filter = emptyFilter();
  if (typeof where !== "object" || where === null) return filter;
  for (const [name, value] of Object.entries(where)) {
    if (name === "AND") {
      for (const part of listOf(value)) addTo(filter, readFilter(part, table));
    } else if (name === "OR") {
      // To Ponder each condition is a branch of its own, also where several stand in one object.
      const branches = listOf(value).flatMap((part) =>
        Object.entries(part ?? {}).map(([inner, innerValue]) => readFilter({ [inner]: innerValue }, table)),
      );
      if (branches.length > 0) filter.anyOf.push(branches);
    } else {
      addTo(filter, readCondition(name, value, table));
    }
  }
  return filter;
}

function readCondition(name: string, value: unknown, table: ApiTable): Filter {
  const filter = emptyFilter();
  const found = condition(name, table);
  if (found === undefined) return { ...filter, rest: true };
  if (found.operator === "" || found.operator === "_in") {
    if (nearlyAlways.get(`${table.name}.${found.name}`) === value) return filter;
    const values = found.operator === "" ? [value] : listOf(value);
    if (values.includes(null)) return { ...filter, rest: true };
    filter.equal.set(found.name, [...new Set(values.map((one) => textOf(one, found.column)))]);
  } else if (/^_[gl]te?$/.test(found.operator)) {
    filter.ranges.add(found.name);
  } else {
    filter.rest = true;
  }
  return filter;
}

/** Adds the conditions of the other filter. */
export function addTo(filter: Filter, other: Filter): void {
  for (const [column, values] of other.equal) {
    if (filter.equal.has(column)) filter.rest = true;
    else filter.equal.set(column, values);
  }
  for (const column of other.ranges) filter.ranges.add(column);
  filter.rest ||= other.rest;
  filter.anyOf.push(...other.anyOf);
}

/** A value as Postgres writes it in its statistics. */
function textOf(value: unknown, { kind }: ApiColumn): string | undefined {
  if (value === undefined) return undefined;
  // As Ponder fills up bytes.
  if (kind === "hex")
    return String(value)
      .replace(/^..(?=(..)*.$)/s, "0x0")
      .toLowerCase();
  if (kind === "boolean") return value === true || value === "true" ? "t" : "f";
  if (kind === "int8" || kind === "numeric") {
    try {
      return String(BigInt(value as string));
    } catch {
      return undefined;
    }
  }
  return String(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
