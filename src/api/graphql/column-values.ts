import { splitEventId } from "../market/event-id.ts";
import { bigintOf, listOf, parseConditionName } from "./filter.ts";
import { whereLimits } from "./limits.ts";
import { QueryRefusal } from "./refusal.ts";
import type { ApiColumn, ApiTable } from "./tables.ts";

/**
 * Refuses a `where` that would make Ponder or Postgres fail without a helpful message. Names and types are left to GraphQL's own
 * validation.
 *
 * @returns the number of values in its lists
 */
export function checkWhere(where: unknown, table: ApiTable, label: string): number {
  if (where === undefined) return 0;
  let conditions = 0;
  let values = 0;

  /** Returns whether the filter has a condition. */
  function check(filter: unknown): boolean {
    let isEmpty = true;
    if (filter === null) throw refusal(`where of ${label} has a null for a filter: leave it out.`);
    if (Array.isArray(filter)) throw refusal(`where of ${label} has a list for a filter: give an object.`);
    if (typeof filter !== "object") return false;
    for (const [name, value] of Object.entries(filter)) {
      if (++conditions > whereLimits.conditions) {
        throw refusal(
          `where of ${label} may have at most ${whereLimits.conditions} conditions: use "_in" for lists of values.`,
        );
      }
      if (name === "AND" || name === "OR") {
        if (value === null)
          throw refusal(`${name} in where of ${label} must be a list of filters, not null.`);
        const parts = listOf(value);
        // Of none of some tokens there are no trades, rather than those of all.
        if (name === "OR" && parts.length === 0) {
          throw refusal(`OR in where of ${label} has no filters: leave it out for no condition.`);
        }
        for (const part of parts) {
          const hasCondition = check(part);
          // Every row meets it. It would count as if it weren't there, like one whose variables have no value.
          if (name === "OR" && !hasCondition) {
            throw refusal(
              `OR in where of ${label} has a filter without conditions, which everything meets: leave it out, or give its variables values.`,
            );
          }
          if (hasCondition) isEmpty = false;
        }
        continue;
      }
      isEmpty = false;
      const condition = parseConditionName(name, table);
      if (condition === undefined) continue;
      const place = `${name} in where of ${label}`;
      if (condition.column.kind === "date")
        throw refusal(`${place}: ${condition.name} can't be used as a filter.`);
      if (condition.operator.endsWith("_in")) {
        if (value === null) throw refusal(`${place} must be a list, not null.`);
        const list = listOf(value);
        // Nothing equals a null, so that a list with one would match nothing at all after "_not_in".
        if (list.includes(null)) {
          throw refusal(
            `${place} must have no null in its list: ask for nulls by ${condition.name}: null, or without them by ${condition.name}_not: null.`,
          );
        }
        values += list.length;
        for (const one of list) checkEqualityValue(one, condition.column, place);
        continue;
      }
      const isEqual = condition.operator === "" || condition.operator === "_not";
      // No row compares with null, and in a pattern it would be the text "null".
      if (value === null && !isEqual) {
        throw refusal(`${place} must not be null: leave it out for no condition.`);
      }
      (isEqual ? checkEqualityValue : checkValue)(value, condition.column, place);
      if (condition.column.kind === "eventId" && /starts_with/.test(condition.operator)) {
        checkEventIdStart(value, place);
      }
      // In a pattern, a backslash escapes the next character.
      if (/_ends_with/.test(condition.operator) && /(?<!\\)(\\\\)*\\$/.test(String(value))) {
        throw refusal(`${place} ends with a single backslash: write two for one.`);
      }
    }
    return !isEmpty;
  }

  check(where);
  return values;
}

/** Refuses a value that can't be compared with the column, or that the column never has. */
export function checkEqualityValue(value: unknown, column: ApiColumn, label: string): void {
  checkValue(value, column, label);
  if (value === null || value === undefined) return;
  if (column.values?.includes(String(value)) === false) {
    throw refusal(`${label} must be one of ${column.values.join(", ")}.`);
  }
  if (column.kind === "hex" && !/^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(String(value))) {
    throw refusal(`${label} must be 0x and 40 hexadecimal digits, or 64 for a hash.`);
  }
  if (column.kind === "eventId" && typeof value === "string" && splitEventId(value) === undefined) {
    throw refusal(`${label} must be an id such as ${exampleId}: chain, block and log index.`);
  }
}

const exampleId = "56-000045612378-000042";

/** Refuses the beginning of a block, with which no id begins any more. */
function checkEventIdStart(value: unknown, label: string): void {
  if (typeof value !== "string" || !value.startsWith("0")) return;
  throw refusal(`${label} must begin with the chain, as ids do: ${exampleId}.`);
}

/** Refuses an id of another chain than the key's `chainId`, of which there is no row. */
export function checkEventChain(id: unknown, chainId: unknown, label: string): void {
  const own = typeof id === "string" ? splitEventId(id)?.chainId : undefined;
  if (own === undefined || typeof chainId !== "number" || own === chainId) return;
  throw refusal(`${label} is of chain ${own}, but chainId is ${chainId}.`);
}

/** Refuses a value that can't be compared with the column. */
export function checkValue(value: unknown, { kind }: ApiColumn, label: string): void {
  if (typeof value === "string" && value.includes("\0")) {
    throw refusal(
      `${label} contains a NUL character, which no text in the database can contain: leave it out.`,
    );
  }
  if (kind === "int" && typeof value === "number" && (value | 0) !== value) {
    throw refusal(`${label} must be a whole number between -2^31 and 2^31 - 1.`);
  }
  if (kind !== "int8" && kind !== "numeric") return;
  // GraphQL would take a number that JSON has rounded, and "" and true for 0 and 1. Cursors have bigints.
  const isNumber = typeof value === "bigint" || Number.isSafeInteger(value);
  if (typeof value === "string" ? value.trim() === "" : value !== null && value !== undefined && !isNumber) {
    throw refusal(`${label} must be a whole number as text, such as "1000000000000000000".`);
  }
  const number = bigintOf(value);
  if (number === undefined) return;
  if (kind === "int8" && BigInt.asIntN(64, number) !== number) {
    throw refusal(`${label} must lie between -2^63 and 2^63 - 1.`);
  }
  if (kind === "numeric" && String(number).replace("-", "").length > whereLimits.digits) {
    throw refusal(`${label} may have at most ${whereLimits.digits} digits.`);
  }
}

/** Refuses anything but a whole number up to `max`. */
export function checkWholeNumber(value: unknown, label: string, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw refusal(`${label} must be a whole number from 0 to ${max}.`);
}

function refusal(message: string): QueryRefusal {
  return new QueryRefusal("invalid_argument", message);
}
