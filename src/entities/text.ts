/** Removes NUL characters, which Postgres cannot store, from a string of the chain. */
export function stripNul(text: string): string {
  return text.replaceAll("\0", "");
}
