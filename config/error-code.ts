/** The code of a system error, such as "ENOENT", or of one of Postgres, such as "42P01". Empty if it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return String(error.code ?? "");
}
