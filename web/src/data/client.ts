import { signal } from "@preact/signals";
import { createLaunchpadClient } from "../../../client/src/index.ts";
import { watchBody } from "./watch-body.ts";

export type { StreamEvent } from "../../../client/src/index.ts";
export { dataOf, LaunchpadError } from "../../../client/src/index.ts";

/** The state of the event stream's connection. `off` while no page listens. */
export const connection = signal<"off" | "connecting" | "live" | "lost">("off");

/** A fetch that tracks the state of the stream's connection. The client reconnects by itself. */
async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const target = input instanceof Request ? input.url : String(input);
  if (!new URL(target, location.href).pathname.startsWith("/api/stream")) return await fetch(input, init);
  const lost = () => {
    if (init?.signal?.aborted !== true) connection.value = "lost";
  };
  try {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) {
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
