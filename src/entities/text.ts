/** A string of the chain as Postgres can hold it: all of it but NUL. */
export function stripNul(text: string): string {
  return text.replaceAll("\0", "");
}
