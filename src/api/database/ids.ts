/** Formats ids as a Postgres array literal. */
export function formatIds(ids: number[] | Int32Array): string {
  return `{${ids.join(",")}}`;
}

/**
 * Parses comma-separated ids. They come as one string because the driver takes many times as long for as many rows, and are read
 * digit by digit because splitting hundreds of thousands of them takes as long as many requests.
 */
export function parseIds(text: string | null | undefined): Int32Array {
  if (!text) return new Int32Array(0);
  let commas = 0;
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) commas++;
  const ids = new Int32Array(commas + 1);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma) count++;
    else ids[count] = 10 * (ids[count] as number) + code - zero;
  }
  return ids;
}

const comma = 44;
const zero = 48;
