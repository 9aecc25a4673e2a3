/** Ids as Postgres takes an array. */
export function formatIds(ids: number[] | Int32Array): string {
  return `{${ids.join(",")}}`;
}

/** Ids as one string, comma-separated: the driver takes many times as long for as many rows. */
export function parseIds(text: string | null | undefined): Int32Array {
  if (!text) return new Int32Array(0);
  return Int32Array.from(text.split(","), Number);
}
