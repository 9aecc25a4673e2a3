import type { ApiColumn } from "../column-kinds.ts";
import { parseConditionName } from "../filter.ts";
import type { ApiTable } from "../tables.ts";
import type { Parameters } from "./parameters.ts";

/** Returns the conditions of a `where`, all of which must hold. It must have been checked. */
export function conditionsOf(where: unknown, table: ApiTable, parameters: Parameters): string[] {
  const conditions: string[] = [];
  for (const [name, value] of Object.entries(where ?? {})) {
    if (name === "AND" || name === "OR") {
      // As in Ponder, several conditions in one object of an OR are separate branches.
      const parts = (value as unknown[]).flatMap((part) => conditionsOf(part, table, parameters));
      if (parts.length > 0) conditions.push(`(${parts.join(name === "AND" ? " and " : " or ")})`);
      continue;
    }
    const found = parseConditionName(name, table);
    if (found === undefined) throw new Error(`Invariant(${table.name}.${name}): no such condition`);
    conditions.push(columnCondition(found.column, found.operator, value, parameters));
  }
  return conditions;
}

const comparisons: Record<string, string> = { _gt: ">", _gte: ">=", _lt: "<", _lte: "<=" };

function columnCondition(
  column: ApiColumn,
  operator: string,
  value: unknown,
  parameters: Parameters,
): string {
  const name = `"${column.sqlName}"`;
  const given = (one: unknown) => parameters.add(column.encode(one));
  if (operator === "" || operator === "_not") {
    if (value === null) return `${name} is ${operator === "" ? "null" : "not null"}`;
    return `${name} ${operator === "" ? "=" : "<>"} ${given(value)}`;
  }
  if (operator === "_in" || operator === "_not_in") {
    const isIn = operator === "_in";
    const list = value as unknown[];
    if (list.length === 0) return isIn ? "false" : "true";
    return `${name} ${isIn ? "in" : "not in"} (${list.map(given).join(", ")})`;
  }
  const comparison = comparisons[operator];
  if (comparison !== undefined) return `${name} ${comparison} ${given(value)}`;

  const like = operator.endsWith("_nocase") ? "ilike" : "like";
  const before = operator.includes("starts_with") ? "" : "%";
  const after = operator.includes("ends_with") ? "" : "%";
  const not = operator.startsWith("_not_") ? "not " : "";
  return `${name} ${not}${like} ${parameters.add(`${before}${value}${after}`)}`;
}
