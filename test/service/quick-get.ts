import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { ignore } from "../../config/async.ts";

/**
 * Asks as `fetch` does, in a fraction of its processor time, which counts where an answer is polled for. Resolves to undefined if
 * there is none.
 */
export async function quickGet(url: string): Promise<{ ok: boolean; body: string } | undefined> {
  const request = get(url);
  // A connection may break after the first part of an answer, too.
  request.on("error", ignore);
  try {
    const [response]: IncomingMessage[] = await once(request, "response");
    if (response === undefined) return undefined;
    return { ok: response.statusCode === 200, body: await text(response) };
  } catch {
    return undefined;
  }
}
