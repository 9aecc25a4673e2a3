import type { Context } from "hono";
import { turnsOf } from "../../concurrency/share-fairly.ts";
import { etagOf } from "../../http/etag.ts";
import { sendJson } from "../../http/shared-json.ts";
import { type JsonResponse, typedResponse } from "../../http/typed-response.ts";

/** The lists of a JSON object, each as batches of its entries. */
type Lists<Body extends Record<string, unknown[]>> = {
  [Name in keyof Body]: AsyncIterable<Body[Name]> | Iterable<Body[Name]>;
};

const cacheControl = "no-cache";

/**
 * Answers with a JSON object of lists: with an ETag where one batch is all there is, else as a stream, which reads a batch when
 * the client has taken the one before and has its turn. Should a batch fail, the connection breaks: what came is no whole JSON.
 */
export async function streamJson<Body extends Record<string, unknown[]>>(
  c: Context,
  lists: Lists<Body>,
): Promise<JsonResponse<Body>> {
  const chunks = chunksOf(lists);
  const { value: first, done } = await chunks.next();
  if (done) return typedResponse<Body>(sendJson(c, { content: first, etag: etagOf(first) }, cacheControl));

  const encoder = new TextEncoder();
  const takeTurn = turnsOf(c);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      const { value, done } = await takeTurn(() => chunks.next());
      controller.enqueue(encoder.encode(value));
      if (done) controller.close();
    },
    async cancel() {
      await chunks.return("");
    },
  });
  const headers = { "content-type": "application/json", "cache-control": cacheControl };
  return typedResponse<Body>(c.body(stream, 200, headers));
}

/** The JSON, a chunk for each batch that has entries. The last chunk is what the generator returns. */
async function* chunksOf(lists: Lists<Record<string, unknown[]>>): AsyncGenerator<string, string> {
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
