import { createParser, type EventSourceMessage } from "eventsource-parser";
import { pause } from "./api.ts";
import type { components } from "./api-types.ts";
import { LaunchpadError, readError, retryAfter } from "./error.ts";

/** An event of the stream. Pass its `cursor` as `after` to continue after it. `removed` marks an event that was undone by a reorg. */
export type StreamEvent = components["schemas"]["StreamEvent"];

/** Every kind of event, also those that are sent only to those who ask for them. */
export const eventKinds = Object.keys({
  created: true,
  trade: true,
  graduated: true,
  registered: true,
  transfer: true,
  liquidity_added: true,
  liquidity_removed: true,
} satisfies Record<StreamEvent["kind"], true>) as StreamEvent["kind"][];

export type StreamQuery = {
  /** Only events of these tokens. */
  mint?: string | string[];
  /** Only events of tokens that these accounts created. */
  creator?: string | string[];
  /** Only events of these kinds. */
  kind?: StreamEvent["kind"] | StreamEvent["kind"][];
  /** Only trades by these accounts. Excludes all other kinds, as do `side`, `venue` and `minBnb`. */
  trader?: string | string[];
  side?: "buy" | "sell";
  venue?: "curve" | "dex";
  /** Only trades of at least this many BNB. */
  minBnb?: number | string;
  chainId?: 56 | 97;
  /** The `cursor` of the event to continue after. Default: events from now on. */
  after?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Milliseconds to wait for an answer before trying again. Default: 30,000. */
  connectTimeoutMs?: number;
  /**
   * Milliseconds to wait for anything at all on a connection, on which a comment comes every 15 seconds, before another is made.
   * Default: 45,000.
   */
  silenceTimeoutMs?: number;
  /** Called whenever the stream has connected and caught up: from then on events arrive as they happen. */
  onReady?: () => void;
};

/** What goes into the URL. */
type Filter = Omit<StreamQuery, "after" | "signal" | "onReady" | "connectTimeoutMs" | "silenceTimeoutMs">;

/** The range of the pause before reconnecting, which doubles with each failure. The server may ask for a longer first one. */
export const minPauseMs = 1_000;
export const maxPauseMs = 30_000;

/** Of anything else, such as the page of a wrong URL, no event would ever come. */
const isEventStream = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

/**
 * Whether another attempt would fail in the same way. Once the service has answered, a page in its place, such as a proxy's during a
 * restart, passes.
 */
export function isPermanent(error: unknown, hasAnswered: boolean): boolean {
  if (!(error instanceof LaunchpadError) || (hasAnswered && error.status === 200)) return false;
  return error.status < 500 && error.status !== 429 && error.status !== 408;
}

/**
 * Yields events in order. Reconnects after a lost connection without missing or repeating any. Throws a LaunchpadError that
 * another attempt would not avoid, such as `stream_position_gone`.
 */
export async function* readStream(
  baseUrl: string,
  {
    signal = new AbortController().signal,
    connectTimeoutMs = 30_000,
    silenceTimeoutMs = 45_000,
    onReady,
    after,
    ...query
  }: StreamQuery,
  fetch: typeof globalThis.fetch,
): AsyncGenerator<StreamEvent, void, void> {
  const url = streamUrl(baseUrl, query);
  let lastId = after;
  let hasConnected = after !== undefined;
  let firstPauseMs = minPauseMs;
  let pauseMs = firstPauseMs;
  // Another one for each client, so that they don't all come back at once when a process ends.
  const onRetry = (ms: number) => {
    firstPauseMs = Math.min(Math.max(ms, minPauseMs), maxPauseMs);
  };
  while (!signal.aborted) {
    // A connection can hang without an error: after a change of networks, or behind a proxy.
    const hanging = new AbortController();
    const within = async <Result>(ms: number, work: Promise<Result>) => {
      const timer = setTimeout(() => hanging.abort(), ms);
      return await work.finally(() => clearTimeout(timer));
    };
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
      const ends = AbortSignal.any([signal, hanging.signal]);
      const response = await within(connectTimeoutMs, fetch(url, { headers, signal: ends }));
      if (!response.ok || response.body === null || !isEventStream(response)) {
        pauseMs = Math.max(pauseMs, 1_000 * (retryAfter(response) ?? 0));
        throw await within(connectTimeoutMs, readError(response));
      }
      hasConnected = true;
      const messages = readMessages(response.body, {
        watch: (work) => within(silenceTimeoutMs, work),
        onRetry,
      });
      for await (const { id, event, data } of messages) {
        lastId = id ?? lastId;
        pauseMs = firstPauseMs;
        if (event === "ready") onReady?.();
        else if (event !== "position") yield toEvent(id, event, data);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isPermanent(error, hasConnected)) throw error;
    }
    await pause(pauseMs, signal).catch(ignoreAbort);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
  }
}

function toEvent(cursor = "", event = "", data: string): StreamEvent {
  return { ...JSON.parse(data), cursor, removed: event === "removed" };
}

/** Yields a body's messages, which `for await` over a stream can't in Safari. Closes the connection when the consumer stops. */
async function* readMessages(
  body: ReadableStream<Uint8Array>,
  {
    watch,
    onRetry,
  }: {
    watch: <Result>(work: Promise<Result>) => Promise<Result>;
    /** Called with the milliseconds after which the server wants clients to reconnect. */
    onRetry: (ms: number) => void;
  },
): AsyncGenerator<EventSourceMessage, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message), onRetry });
  try {
    for (;;) {
      // While the consumer takes its time nothing is read, and silence is no sign of anything.
      const { done, value } = await watch(reader.read());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    await reader.cancel().catch(ignoreFailedStream);
  }
}

function streamUrl(baseUrl: string, query: Filter): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}/api/stream`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, [value].flat().join(","));
  }
  return url.href;
}

/** The loop checks the signal itself. */
const ignoreAbort = () => {};
/** A stream that has failed can't be cancelled any more. */
const ignoreFailedStream = () => {};
