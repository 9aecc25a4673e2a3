import { ResponseBodyTooLargeError } from "viem";

/** More than any block, its receipts or logs have. */
const defaultMaxBytes = 128 * 1_024 * 1_024;

const original = Symbol.for("launchpad.fetch");
type Global = typeof globalThis & { [original]?: typeof fetch };

/**
 * Ponder asks endpoints by the global `fetch`, which follows redirects and reads all that comes, and has no settings for
 * that. So this replaces it by one that, for these endpoints, refuses redirects and cuts an answer that is too long.
 */
export function guardFetch(endpoints: string[], maxBytes = defaultMaxBytes): void {
  const origins = new Set(endpoints.map((url) => new URL(url).origin));
  const global = globalThis as Global;
  // In development Ponder reads its config again and again.
  global[original] ??= global.fetch;
  const unguarded = global[original];

  global.fetch = async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (!origins.has(origin)) return await unguarded(input, init);
    return bounded(await unguarded(input, { ...init, redirect: "error" }), maxBytes);
  };
}

function bounded(response: Response, maxBytes: number): Response {
  const { body, headers } = response;
  const announced = Number(headers.get("content-length") ?? Number.NaN);
  // HTTP itself holds an answer to its length, unless it grows when it is unpacked.
  if (body === null || (announced <= maxBytes && !headers.has("content-encoding"))) return response;

  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes) controller.error(new ResponseBodyTooLargeError({ maxSize: maxBytes, size }));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(limit), response);
}
