/** Parses JSON. Returns undefined, which no JSON stands for, if the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Converts a Retry-After header, which has seconds or a date (RFC 9110), to milliseconds from now, from 0 to `most`. Undefined without
 * one, and for any other text.
 */
export function readRetryAfter(value: string | null | undefined, most: number): number | undefined {
  if (value == null) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(most, Math.max(0, milliseconds));
}

/** Decodes %XX. Returns undefined for a text with a % that encodes nothing. */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The block number of a Ponder checkpoint, which begins with a time of 10 digits, then chain and block of 16 digits each.
 * As text, checkpoints sort by time.
 */
export const checkpointBlock = (checkpoint: string) => Number(checkpoint.slice(26, 42));
/** The chain of a Ponder checkpoint. */
export const checkpointChain = (checkpoint: string) => Number(checkpoint.slice(10, 26));
/** The time of a Ponder checkpoint, in seconds. */
export const checkpointTime = (checkpoint: string) => Number(checkpoint.slice(0, 10));
