import type { Context } from "hono";
import { accepts } from "hono/accepts";

type Range = { type: string; q: number };

/** How much a client wants a media type: by the range that names it, else by one such as text/*, else by *\/*. 0: not at all. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const names = [type, type.replace(/\/.*/, "/*"), "*/*"];
  const [closest] = names.flatMap((name) => ranges.find((range) => range.type.toLowerCase() === name) ?? []);
  return closest?.q ?? 0;
}

/** Answers in the media type that the client prefers, as {@link preferredType} returns it. Caches keep one answer for each. */
export function acceptedType<Type extends string>(
  c: Context,
  types: readonly Type[],
  byDefault: NoInfer<Type>,
): Type {
  c.header("Vary", "Accept", { append: true });
  return preferredType(c, types, byDefault);
}

/**
 * Returns which of an answer's media types the client prefers: of equal ones the first that it names, else `byDefault`, which is also
 * for a client that accepts none.
 */
export function preferredType<Type extends string>(
  c: Context,
  types: readonly Type[],
  byDefault: NoInfer<Type>,
): Type {
  const accepted = accepts(c, {
    header: "Accept",
    supports: [...types],
    default: byDefault,
    match: (ranges) => {
      const best = Math.max(...types.map((type) => qualityOf(type, ranges)));
      const preferred = types.filter((type) => best > 0 && qualityOf(type, ranges) === best);
      const named = ranges.flatMap(({ type }) => preferred.find((one) => one === type.toLowerCase()) ?? []);
      return [...named, ...preferred.filter((type) => type === byDefault), ...preferred][0] ?? byDefault;
    },
  });
  return types.find((type) => type === accepted) ?? byDefault;
}

/** Formats rows as CSV (RFC 4180) with a header line. */
export function toCsv(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(toCsvField).join(",")}\r\n`).join("");
}

/** Formats a value as a field of CSV. Null is an empty field, and an empty text a quoted one; lists and objects are JSON. */
export function toCsvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
