import type { Events } from "./events.routes.ts";
import { parseMessages } from "./messages.ts";

export type CollectOptions = {
  /** The body of an open stream. */
  body: ReadableStream<Uint8Array>;
  /** The reader's position before, if it has one. */
  cursor: string | undefined;
  /** The most events. */
  limit: number;
  /** Aborted when the reader has waited long enough, once it has all earlier events. */
  timeout: AbortSignal;
  /** Aborted when the reader must not wait any longer, even for those. */
  abort: AbortSignal;
};

/**
 * Reads a stream until the first events have arrived, with all that came along with them, or until the timeout; then cancels it.
 * Returns undefined if it was aborted before the stream had begun, so that there is no position to continue from.
 */
export async function collectEvents({
  body,
  cursor,
  limit,
  timeout,
  abort,
}: CollectOptions): Promise<Events | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: Events["events"] = [];
  let lastCursor = cursor;
  const stopped = Promise.withResolvers<undefined>();
  let hasEarlierEvents = false;
  const stopInTime = () => {
    if (abort.aborted || (timeout.aborted && hasEarlierEvents)) stopped.resolve(undefined);
  };
  for (const signal of [timeout, abort]) signal.addEventListener("abort", stopInTime, { once: true });
  stopInTime();

  try {
    while (events.length === 0) {
      const chunk = await Promise.race([reader.read(), stopped.promise]);
      if (chunk === undefined || chunk.done) break;
      for (const { id, event, data } of parseMessages(decoder.decode(chunk.value))) {
        // Breaks before taking over the id: this event is for the next request.
        if (events.length === limit) break;
        lastCursor = id;
        if (event === "ready") hasEarlierEvents = true;
        if (event === undefined || event === "ready" || event === "position") continue;
        events.push({ ...JSON.parse(data), cursor: id, removed: event === "removed" });
      }
      stopInTime();
    }
  } finally {
    for (const signal of [timeout, abort]) signal.removeEventListener("abort", stopInTime);
    await reader.cancel().catch(ignoreLateError);
  }
  return lastCursor === undefined
    ? undefined
    : { events, nextCursor: lastCursor, timedOut: events.length === 0 };
}

/** Nobody reads the stream any more. */
const ignoreLateError = () => {};
