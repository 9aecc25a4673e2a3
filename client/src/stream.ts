import { EventSourceParserStream } from "eventsource-parser/stream";
import { errorOf, LaunchpadError, retryAfter } from "./error.ts";
import { pause } from "./pause.ts";
import type { StreamEvent } from "./stream-event.ts";

export type StreamQuery = {
  /** Only events of these tokens. */
  mint?: string | string[];
  /** Only events of tokens that these accounts created. */
  creator?: string | string[];
  /** Only events of these kinds. */
  kind?: StreamEvent["kind"] | StreamEvent["kind"][];
  chainId?: 56 | 97;
  /** Go on after this event, as its `id` says. Left out: from now on. */
  after?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Called whenever the stream is connected and complete: from then on nothing is missed. */
  onReady?: () => void;
};

/** Milliseconds from a lost connection to the next attempt, at first and at most. */
const firstPause = 1_000;
const longestPause = 30_000;

/** What an attempt would answer again. */
const isFinal = (error: unknown) =>
  error instanceof LaunchpadError && error.status < 500 && error.status !== 429 && error.status !== 408;

/**
 * Yields what happens, in order, and connects anew where it has lost its connection: nothing is missed and nothing comes twice.
 * Throws a LaunchpadError that another attempt would get again, such as `stream_position_gone`.
 */
export async function* readStream(
  baseUrl: string,
  { signal = new AbortController().signal, onReady, after, ...query }: StreamQuery,
  fetch: typeof globalThis.fetch,
): AsyncGenerator<StreamEvent, void, void> {
  const url = streamUrl(baseUrl, query);
  let lastId = after;
  let wait = firstPause;
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
      const response = await fetch(url, { headers, signal });
      if (!response.ok || response.body === null) {
        wait = Math.max(wait, 1_000 * (retryAfter(response) ?? 0));
        throw await errorOf(response);
      }
      const messages = response.body
        .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
        .pipeThrough(new EventSourceParserStream());
      for await (const { id, event, data } of read(messages)) {
        lastId = id ?? lastId;
        wait = firstPause;
        if (event === "ready") onReady?.();
        else if (event !== "position") yield toEvent(id, event, data);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
    }
    await pause(wait, signal).catch(isStopped);
    wait = Math.min(2 * wait, longestPause);
  }
}

function toEvent(id = "", event = "", data: string): StreamEvent {
  return { ...JSON.parse(data), id, removed: event === "removed" };
}

/** Safari can't iterate over a stream. Lets go of the connection when the reader stops. */
async function* read<Value>(stream: ReadableStream<Value>): AsyncGenerator<Value, void, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(isOver);
  }
}

function streamUrl(
  baseUrl: string,
  query: Pick<StreamQuery, "mint" | "creator" | "kind" | "chainId">,
): string {
  const url = new URL("/api/stream", baseUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, [value].flat().join(","));
  }
  return url.href;
}

/** The loop looks at the signal itself. */
const isStopped = () => {};
/** Of a stream that has failed there is nothing left to cancel. */
const isOver = () => {};
