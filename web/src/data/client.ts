import { signal } from "@preact/signals";
import { createLaunchpadClient } from "../../../client/src/index.ts";

export type { components, StreamEvent } from "../../../client/src/index.ts";
export { dataOf, eventKinds, LaunchpadError } from "../../../client/src/index.ts";

/** The state of the event stream's connection. `off` while no page listens. */
export const connection = signal<"off" | "connecting" | "live" | "lost">("off");

/** How long after the page's start an answer that the browser requested along with the code is new enough. */
const maxPreloadedMs = 10_000;

/** Whether the page's head has had the browser request this URL: its answer is there, or on its way. Each is taken once. */
function takePreload(url: string): boolean {
  if (performance.now() > maxPreloadedMs) return false;
  const links = document.querySelectorAll<HTMLLinkElement>('link[as="fetch"]');
  const link = [...links].find(({ href }) => href === url);
  link?.remove();
  return link !== undefined;
}

/** Milliseconds after which a read is given up: a connection can hang without an error, after a change of networks for example. */
const maxReadMs = 60_000;

/** A fetch that takes what the browser has requested already, and tracks the state of the stream's connection. The client reconnects by itself. */
async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const target = input instanceof Request ? input.url : String(input);
  if (!new URL(target, location.href).pathname.startsWith("/api/stream")) {
    const isRead = input instanceof Request && input.method === "GET";
    const timed = isRead
      ? { ...init, signal: AbortSignal.any([input.signal, AbortSignal.timeout(maxReadMs)]) }
      : init;
    // The browser compares the whole request: the preload's has no headers of its own.
    return await fetch(takePreload(target) ? target : input, timed).catch(() => {
      // In the same words in all browsers and languages.
      throw new TypeError("fetch failed");
    });
  }
  const lost = () => {
    if (init?.signal?.aborted !== true) connection.value = "lost";
  };
  try {
    const response = await fetch(input, init);
    // What else may answer, such as a proxy's page, the client takes for no stream either.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok || response.body === null || !isStream) {
      lost();
      return response;
    }
    connection.value = "live";
    return new Response(watchBody(response.body, lost), response);
  } catch (error) {
    lost();
    throw error;
  }
}

export const client = createLaunchpadClient({ baseUrl: location.origin, fetch: watchedFetch, retries: 1 });

export const { api } = client;

/** A connection counts as dead after this time without data. Heartbeats arrive every 15 seconds. */
const maxSilenceMs = 40_000;

/** Passes a body through and reports when it has ended, failed or gone silent. A silent one is closed. */
function watchBody(body: ReadableStream<Uint8Array>, onLost: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const lost = () => {
    clearTimeout(silence);
    onLost();
  };
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => void reader.cancel().catch(ignoreLateError), maxSilenceMs);
  };
  return new ReadableStream({
    async pull(controller) {
      listen();
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        lost();
        controller.close();
      } catch (error) {
        lost();
        controller.error(error);
      }
    },
    cancel(reason) {
      clearTimeout(silence);
      return reader.cancel(reason);
    },
  });
}

/** Nobody reads the body any more. */
const ignoreLateError = () => {};
