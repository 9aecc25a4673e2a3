import type { Events } from "./events.routes.ts";
import { parseMessages } from "./messages.ts";

export type CollectOptions = {
  /** The body of an open stream. */
  body: ReadableStream<Uint8Array>;
  /** The reader's position before, if it has one. */
  cursor: string | undefined;
  /** The most events. */
  limit: number;
  /** Aborted when the wait is over. */
  timeout: AbortSignal;
};

/**
 * Reads a stream until the first events have arrived, with all that came along with them, or until the timeout; then cancels it.
 * Returns undefined if the stream did not begin in time, so that there is no position to continue from.
 */
export async function collectEvents({
  body,
  cursor,
  limit,
  timeout,
}: CollectOptions): Promise<Events | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: Events["events"] = [];
  let lastCursor = cursor;
  const stopped = Promise.withResolvers<undefined>();
  const stop = () => stopped.resolve(undefined);
  timeout.addEventListener("abort", stop, { once: true });
  if (timeout.aborted) stop();

  try {
    while (events.length === 0) {
      const chunk = await Promise.race([reader.read(), stopped.promise]);
      if (chunk === undefined || chunk.done) break;
      for (const { id, event, data } of parseMessages(decoder.decode(chunk.value))) {
        // Breaks before taking over the id: this event is for the next request.
        if (events.length === limit) break;
        lastCursor = id;
        if (event === undefined || event === "ready" || event === "position") continue;
        events.push({ ...JSON.parse(data), cursor: id, removed: event === "removed" });
      }
    }
  } finally {
    timeout.removeEventListener("abort", stop);
    await reader.cancel().catch(ignoreLateError);
  }
  return lastCursor === undefined
    ? undefined
    : { events, nextCursor: lastCursor, timedOut: events.length === 0 };
}

/** Nobody reads the stream any more. */
const ignoreLateError = () => {};
