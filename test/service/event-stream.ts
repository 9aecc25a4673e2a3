import { getLines, getMessages } from "@microsoft/fetch-event-source/lib/cjs/parse.js";
import { until } from "./condition.ts";

// biome-ignore lint/suspicious/noExplicitAny: the tests check its shape.
export type StreamEvent = { id: string; event: string; data: any };

type EventStream = Awaited<ReturnType<typeof openEventStream>>;

/** A client of GET /api/stream that parses as fetch-event-source does, and keeps all events. Throws if the status isn't 200. */
export async function openEventStream(
  url: string,
  { query = "", lastEventId }: { query?: string; lastEventId?: string } = {},
) {
  const closing = new AbortController();
  const send = async () =>
    await fetch(`${url}/api/stream${query}`, {
      headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
      signal: closing.signal,
    });
  const first = await send();
  // On a busy machine, eight seconds may pass between the connection and the request.
  const response = first.status === 408 ? await send() : first;
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);

  const all: StreamEvent[] = [];
  const ids: string[] = [];
  let outcome: "open" | "ended" | "cut off" = "open";
  const withoutReady = () => all.filter(({ event }) => event !== "ready");

  const read = getLines(
    getMessages(
      (id) => ids.push(id),
      () => {},
      ({ id, event, data }) => all.push({ id, event, data: JSON.parse(data) }),
    ),
  );

  const over = (async () => {
    for await (const chunk of response.body ?? []) read(chunk);
  })().then(
    () => {
      outcome = "ended";
    },
    () => {
      outcome = "cut off";
    },
  );

  return {
    headers: response.headers,
    /** The events so far, without `ready`. */
    get events() {
      return withoutReady();
    },
    /** The ids so far, including those sent without an event. */
    get ids() {
      return ids;
    },
    get lastId() {
      return ids.at(-1) ?? lastEventId;
    },
    get outcome() {
      return outcome;
    },
    /** Resolves once the response has ended, for whatever reason. */
    over,
    /** Resolves once the client receives every event that happens from then on. */
    untilReady: () =>
      until("the stream to be ready", async () => {
        if (outcome !== "open") throw new Error(`the stream ${outcome} before it was ready`);
        return all.some(({ event }) => event === "ready");
      }),
    /** Resolves once `count` events have arrived, or the stream has ended. */
    untilEvents: (count: number) =>
      until(`${count} events`, async () => withoutReady().length >= count || outcome !== "open"),
    async close(): Promise<void> {
      closing.abort();
      await over;
    },
  };
}

/**
 * A client that drops its connection after every few events (`hop()` of them) and reconnects with the last id, to the server at
 * `urlOf()`.
 */
export function followStream(urlOf: () => string, { query, hop }: { query?: string; hop: () => number }) {
  const events: StreamEvent[] = [];
  let lastId: string | undefined;
  let stream: EventStream | undefined;
  let isStopped = false;
  let connections = 0;

  const running = (async () => {
    while (!isStopped) {
      // Nothing listens while a server restarts.
      stream = await openEventStream(urlOf(), { query, lastEventId: lastId }).catch((error: Error) => {
        if (/^\d{3}: /.test(error.message) && !error.message.startsWith("503")) throw error;
        return undefined;
      });
      if (stream === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      const current = stream;
      // Whoever leaves before the first id has no place to come back to.
      await until(
        "an id",
        async () => isStopped || current.lastId !== undefined || current.outcome !== "open",
      );
      connections++;
      const maxEvents = hop();
      await until(
        "events to hop",
        async () => isStopped || current.events.length >= maxEvents || current.outcome !== "open",
      );
      await current.close();
      // Includes the events that arrived while it was closing.
      events.push(...current.events);
      lastId = current.lastId;
    }
  })();
  running.catch(() => {});

  return {
    /** All events, in the order of their arrival. */
    get events() {
      return [...events, ...(isStopped ? [] : (stream?.events ?? []))];
    },
    get connections() {
      return connections;
    },
    /** Disconnects, and resolves to all events. */
    async stop(): Promise<StreamEvent[]> {
      isStopped = true;
      await running;
      return events;
    },
  };
}
