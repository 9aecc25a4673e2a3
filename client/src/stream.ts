import { EventSourceParserStream } from "eventsource-parser/stream";
import { LaunchpadError, readError, retryAfter } from "./error.ts";
import { pause } from "./pause.ts";
import type { StreamEvent } from "./stream-event.ts";

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

/** The range of the pause before reconnecting, which doubles with each failure. */
const minPauseMs = 1_000;
const maxPauseMs = 30_000;

/** Whether another attempt would fail in the same way. */
const isPermanent = (error: unknown) =>
  error instanceof LaunchpadError && error.status < 500 && error.status !== 429 && error.status !== 408;

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
  let pauseMs = minPauseMs;
  while (!signal.aborted) {
    // A connection can hang without an error: after a change of networks, or behind a proxy.
    const watchdog = createWatchdog();
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
      const ends = AbortSignal.any([signal, watchdog.signal]);
      const response = await watchdog.watch(connectTimeoutMs, () => fetch(url, { headers, signal: ends }));
      if (!response.ok || response.body === null) {
        pauseMs = Math.max(pauseMs, 1_000 * (retryAfter(response) ?? 0));
        throw await readError(response);
      }
      const messages = response.body
        .pipeThrough(watchdog.listen())
        .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
        .pipeThrough(new EventSourceParserStream());
      for await (const { id, event, data } of read(messages, (wait) =>
        watchdog.watch(silenceTimeoutMs, wait),
      )) {
        lastId = id ?? lastId;
        pauseMs = minPauseMs;
        if (event === "ready") onReady?.();
        else if (event !== "position") yield toEvent(id, event, data);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isPermanent(error)) throw error;
    }
    await pause(pauseMs, signal).catch(ignoreAbort);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
  }
}

function toEvent(cursor = "", event = "", data: string): StreamEvent {
  return { ...JSON.parse(data), cursor, removed: event === "removed" };
}

/** Its signal aborts once something that it watches has been silent for too long. */
function createWatchdog() {
  const silent = new AbortController();
  let restart: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    signal: silent.signal,
    async watch<Result>(ms: number, wait: () => Promise<Result>): Promise<Result> {
      restart = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), ms);
      };
      restart();
      return await wait().finally(() => {
        restart = undefined;
        clearTimeout(timer);
      });
    },
    /** Passes bytes on, each of which is a sign of life. */
    listen: () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          restart?.();
          controller.enqueue(bytes);
        },
      }),
  };
}

/**
 * Iterates over a stream, which Safari can't do natively. Closes the connection when the consumer stops.
 *
 * @param watch runs each read
 */
async function* read<Value>(
  stream: ReadableStream<Value>,
  watch: <Result>(read: () => Promise<Result>) => Promise<Result>,
): AsyncGenerator<Value, void, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await watch(() => reader.read());
      if (done) return;
      yield value;
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
