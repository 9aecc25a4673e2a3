import type { Events } from "./events.routes.ts";
import { parseMessages } from "./messages.ts";

export type Collecting = {
  /** What an open stream answers with. */
  body: ReadableStream<Uint8Array>;
  /** Where the reader is at the beginning, if anywhere. */
  cursor: string | undefined;
  /** The most events. */
  limit: number;
  /** Aborted when the wait is over. */
  timeout: AbortSignal;
};

/**
 * Reads a stream until it has events, and all that had come until then, or the wait is over; then lets go of it. Undefined where
 * the stream did not begin in time, so that there is no place to go on from.
 */
export async function collectEvents({
  body,
  cursor,
  limit,
  timeout,
}: Collecting): Promise<Events | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: Events["events"] = [];
  let at = cursor;
  const over = Promise.withResolvers<undefined>();
  const stop = () => over.resolve(undefined);
  timeout.addEventListener("abort", stop, { once: true });
  if (timeout.aborted) stop();

  try {
    while (events.length === 0) {
      const chunk = await Promise.race([reader.read(), over.promise]);
      if (chunk === undefined || chunk.done) break;
      for (const { id, event, data } of parseMessages(decoder.decode(chunk.value))) {
        // Its id was not read yet: what comes after it is for the next request.
        if (events.length === limit) break;
        at = id;
        if (event === undefined || event === "ready" || event === "position") continue;
        events.push({ ...JSON.parse(data), id, removed: event === "removed" });
      }
    }
  } finally {
    timeout.removeEventListener("abort", stop);
    await reader.cancel().catch(ignoreLateError);
  }
  return at === undefined ? undefined : { events, nextCursor: at, timedOut: events.length === 0 };
}

/** Of a stream that nobody reads any more. */
const ignoreLateError = () => {};
