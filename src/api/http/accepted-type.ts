import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** Returns which of an answer's media types the client prefers: `byDefault` if it accepts none. Caches keep one answer for each. */
export function acceptedType<Type extends string>(
  c: Context,
  types: readonly Type[],
  byDefault: NoInfer<Type>,
): Type {
  c.header("Vary", "Accept", { append: true });
  const accepted = accepts(c, { header: "Accept", supports: [...types], default: byDefault });
  return types.find((type) => type === accepted) ?? byDefault;
}

/**
 * Formats rows as CSV (RFC 4180) with a header line. Null is an empty field, and an empty text a quoted one; lists and objects are
 * JSON.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

function toField(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
