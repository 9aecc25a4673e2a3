import { useEffect } from "preact/hooks";
import type { StreamQuery } from "../../../client/src/index.ts";
import { chainId } from "./chain.ts";
import { client, connection, LaunchpadError, type StreamEvent } from "./client.ts";

export type Listener = {
  onEvent: (event: StreamEvent) => void;
  /** Called when events may have been missed, so that what is shown has to be read anew. */
  onGap: () => void;
};

/** Milliseconds from when a page begins to read to a connection that misses nothing of what comes after. */
const promptMs = 1_000;

/**
 * Listens to the stream while the component is shown and its tab visible: hidden tabs let go of their connection, of which a browser has few,
 * and go on where they were.
 */
export function useStream(query: Pick<StreamQuery, "mint" | "creator" | "kind">, listener: Listener): void {
  const key = JSON.stringify([query, chainId.value]);
  useEffect(() => {
    let after: string | undefined;
    let open: AbortController | undefined;
    const began = performance.now();
    const connect = () => {
      const isFirst = open === undefined;
      // The page reads what it shows as the first connection is made. Later, without a position, nobody knows what happened since.
      const onReady = () => {
        const isPrompt = isFirst && performance.now() - began < promptMs;
        if (after === undefined && !isPrompt) listener.onGap();
      };
      open?.abort();
      open = new AbortController();
      if (connection.peek() !== "lost") connection.value = "connecting";
      void follow(open.signal, onReady);
    };
    const follow = async (signal: AbortSignal, onReady: () => void) => {
      const asked = { ...query, chainId: chainId.peek(), after, signal, onReady };
      try {
        for await (const event of client.stream(asked)) {
          after = event.id;
          listener.onEvent(event);
        }
      } catch (error) {
        if (signal.aborted) return;
        // A position too old to go on from: what is shown is read anew, and then from now on.
        if (error instanceof LaunchpadError && [409, 410].includes(error.status)) after = undefined;
        setTimeout(() => !signal.aborted && connect(), 1_000);
      }
    };
    const follows = () => {
      if (document.hidden) open?.abort();
      else connect();
    };
    const reconnect = () => !document.hidden && connect();
    const isOffline = () => {
      connection.value = "lost";
    };
    if (!document.hidden) connect();
    document.addEventListener("visibilitychange", follows);
    window.addEventListener("online", reconnect);
    window.addEventListener("offline", isOffline);
    return () => {
      open?.abort();
      connection.value = "off";
      document.removeEventListener("visibilitychange", follows);
      window.removeEventListener("online", reconnect);
      window.removeEventListener("offline", isOffline);
    };
  }, [key]);
}
