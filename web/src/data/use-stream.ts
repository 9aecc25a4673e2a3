import { batch } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { StreamQuery } from "../../../client/src/index.ts";
import { chainId } from "./chain.ts";
import { client, connection, LaunchpadError, type StreamEvent } from "./client.ts";

export type Listener = {
  /** Called with each event. Those that arrive in quick succession come together, and are drawn once. */
  onEvent: (event: StreamEvent) => void;
  /**
   * Called when events may have been missed, so that the shown data have to be reloaded. `isBrief` if only those of the moment in
   * which the page opened may be missing: then the next event corrects everything but lists of events.
   */
  onGap: (isBrief: boolean) => void;
};

/** Events are delivered at most this often: nobody reads faster, and each drawing delays what the visitor does. */
const deliveryMs = 200;

/** If the first connection is made within this time, it misses few events after the page's first reads. */
const promptMs = 1_000;

/** Whether the position to continue from is too old. */
const isGone = (error: unknown) => error instanceof LaunchpadError && [409, 410].includes(error.status);

/** How soon to ask again after an error that the client doesn't try again after. What isn't about the position is refused again. */
export const retryMs = (error: unknown) => (isGone(error) ? 1_000 : 10_000);

/** How many streams are listened to: the page's, and the one that watches alerts. */
let listening = 0;

type Query = Pick<StreamQuery, "mint" | "kind" | "trader" | "creator" | "chainId">;

/**
 * Listens to the stream while the component is mounted and its tab is visible, on the page's chain unless the query has another. Hidden
 * tabs close their connection, because browsers allow only a few, and later continue after the last event; `whileHidden` is for the
 * one tab that watches alerts.
 */
export function useStream(query: Query, listener: Listener, whileHidden = false): void {
  const key = JSON.stringify([query, chainId.value]);
  useEffect(() => {
    let after: string | undefined;
    let open: AbortController | undefined;
    const began = performance.now();
    let arrived: StreamEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let deliveredAt = Number.NEGATIVE_INFINITY;
    const deliver = () => {
      const events = arrived;
      arrived = [];
      timer = undefined;
      deliveredAt = performance.now();
      batch(() => {
        for (const event of events) listener.onEvent(event);
      });
    };
    const connect = () => {
      const isFirst = open === undefined;
      // While the first connection is made, the page reads its data. A later one without a position may have missed events.
      const onReady = () => {
        if (after === undefined) listener.onGap(isFirst && performance.now() - began < promptMs);
      };
      open?.abort();
      open = new AbortController();
      if (connection.peek() !== "lost") connection.value = "connecting";
      void follow(open.signal, onReady);
    };
    const follow = async (signal: AbortSignal, onReady: () => void) => {
      const asked = { chainId: chainId.peek(), ...query, after, signal, onReady };
      try {
        for await (const event of client.stream(asked)) {
          after = event.cursor;
          arrived.push(event);
          timer ??= setTimeout(deliver, Math.max(0, deliveredAt + deliveryMs - performance.now()));
        }
      } catch (error) {
        if (signal.aborted) return;
        // The shown data are reloaded then, and events come from now on.
        if (isGone(error)) after = undefined;
        setTimeout(() => !signal.aborted && connect(), retryMs(error));
      }
    };
    const isPaused = () => document.hidden && !whileHidden;
    const onVisibilityChange = () => {
      if (whileHidden) return;
      if (document.hidden) open?.abort();
      else connect();
    };
    const reconnect = () => !isPaused() && connect();
    const isOffline = () => {
      connection.value = "lost";
    };
    listening++;
    if (!isPaused()) connect();
    document.addEventListener("visibilitychange", onVisibilityChange);
    window.addEventListener("online", reconnect);
    window.addEventListener("offline", isOffline);
    return () => {
      open?.abort();
      clearTimeout(timer);
      if (--listening === 0) connection.value = "off";
      document.removeEventListener("visibilitychange", onVisibilityChange);
      window.removeEventListener("online", reconnect);
      window.removeEventListener("offline", isOffline);
    };
  }, [key]);
}
