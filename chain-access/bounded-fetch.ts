import { ResponseBodyTooLargeError } from "viem";

export type FetchLimits = {
  /** Milliseconds until the last byte of the answer. */
  timeoutMs: number;
  /** Bytes of the answer, decompressed. */
  maxBytes: number;
};

/**
 * Makes a `fetch` for an endpoint that may be hostile, or broken. It follows no redirect, since only the address that was
 * configured is to be talked to, and it reads the whole answer within its limits, which viem's own timeout does not cover.
 * Rejects as `fetch` does, and with a ResponseBodyTooLargeError once the answer is too long.
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

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by a throw cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ResponseBodyTooLargeError({ maxSize: maxBytes, size });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
