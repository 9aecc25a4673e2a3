import { ResponseBodyTooLargeError } from "viem";

export type FetchLimits = {
  /** Milliseconds until the last byte of the response. */
  timeoutMs: number;
  /** Bytes of the response, decompressed. */
  maxBytes: number;
};

/**
 * Creates a `fetch` for an endpoint that may be hostile or broken. It follows no redirect, so that only the configured
 * address is asked, and applies its limits to the whole response body, which viem's own timeout does not cover.
 * Rejects as `fetch` does, and with a ResponseBodyTooLargeError if the response is too long.
 */
export function createBoundedFetch({ timeoutMs, maxBytes }: FetchLimits) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const signals = [init.signal, AbortSignal.timeout(timeoutMs)].filter((signal) => signal != null);
    const response = await fetch(input, { ...init, redirect: "error", signal: AbortSignal.any(signals) });
    const body = await readBounded(response, maxBytes);
    const { status, statusText, headers } = response;
    return new Response(body.length === 0 ? null : body, { status, statusText, headers });
  };
}

/** Reads a response's body. Throws a ResponseBodyTooLargeError if it is longer than `maxBytes`. */
export async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Throwing out of the loop cancels the body and closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ResponseBodyTooLargeError({ maxSize: maxBytes, size });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
