import type { Context } from "hono";
import { requestSemaphore } from "../../concurrency/read-lanes.ts";
import { etagOf } from "../../http/etag.ts";
import { type JsonResponse, sendJson, typedResponse } from "../../http/shared-json.ts";

/** The lists of a JSON object, each as batches of its entries. */
type Lists<Body extends Record<string, unknown[]>> = {
  [Name in keyof Body]: AsyncIterable<Body[Name]> | Iterable<Body[Name]>;
};

const cacheControl = "no-cache";

/**
 * Responds with a JSON object of lists: with an ETag if one batch holds everything, otherwise as a stream, which reads each batch
 * once the client has taken the previous one and the semaphore admits it. If a batch fails, the connection is closed without an
 * end, so that a truncated body is never taken for a complete one.
 */
export async function streamJson<Body extends Record<string, unknown[]>>(
  c: Context,
  lists: Lists<Body>,
): Promise<JsonResponse<Body>> {
  const chunks = encodeChunks(lists);
  const { value: first, done } = await chunks.next();
  if (done) return typedResponse<Body>(sendJson(c, { content: first, etag: etagOf(first) }, cacheControl));

  const encoder = new TextEncoder();
  const limit = requestSemaphore(c);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      const { value, done } = await limit(() => chunks.next());
      controller.enqueue(encoder.encode(value));
      if (done) controller.close();
    },
    async cancel() {
      await chunks.return("");
    },
  });
  const headers = {
    "content-type": "application/json",
    "cache-control": cacheControl,
    "transfer-encoding": "chunked",
  };
  return typedResponse<Body>(c.body(stream, 200, headers));
}

/** Yields one chunk of JSON per batch that has entries, and returns the last chunk. */
async function* encodeChunks(lists: Lists<Record<string, unknown[]>>): AsyncGenerator<string, string> {
  let text = "";
  let hasEntries = false;
  for (const [name, batches] of Object.entries(lists)) {
    text += `${text === "" && !hasEntries ? "{" : ","}${JSON.stringify(name)}:[`;
    let separator = "";
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      if (hasEntries) {
        yield text;
        text = "";
      }
      text += separator + batch.map((entry) => JSON.stringify(entry)).join(",");
      separator = ",";
      hasEntries = true;
    }
    text += "]";
  }
  return `${text}}`;
}
