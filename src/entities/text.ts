/** Removes NUL characters, which Postgres cannot store, from a string that was read from the chain. */
export function stripNul(text: string): string {
  return text.replaceAll("\0", "");
}
