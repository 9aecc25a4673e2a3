/** Whether an If-None-Match header names the tag: weakly, as RFC 9110, 13.1.2 wants it. */
export function etagMatches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}
