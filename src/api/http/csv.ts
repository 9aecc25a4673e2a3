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
