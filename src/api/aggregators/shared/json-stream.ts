import type { Context } from "hono";
import { turnsOf } from "../../concurrency/share-fairly.ts";
import { etagOf, jsonWithEtag } from "../../http/etag.ts";

/**
 * Answers with JSON text that comes in parts: with an ETag where it is all in the first one, else as a stream, which makes
 * a part when the client has read the one before and has its turn. Should a part fail, the connection breaks: what came is no whole JSON.
 */
export async function jsonInParts(c: Context, parts: AsyncGenerator<string, void>): Promise<Response> {
  const first = await parts.next();
  const second = await parts.next();
  if (first.done || second.done) {
    const body = first.value ?? "";
    return jsonWithEtag(c, body, etagOf(body), "no-cache");
  }
  const begun = [first.value, second.value];
  const encoder = new TextEncoder();
  const takeTurn = turnsOf(c);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = begun.shift() ?? (await takeTurn(() => parts.next())).value;
      if (part === undefined) controller.close();
      else controller.enqueue(encoder.encode(part));
    },
    async cancel() {
      await parts.return();
    },
  });
  return c.body(stream, 200, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-cache",
  });
}
