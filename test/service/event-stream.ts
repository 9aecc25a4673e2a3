import { getLines, getMessages } from "@microsoft/fetch-event-source/lib/cjs/parse.js";
import { until } from "./condition.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests check what it is.
export type StreamEvent = { id: string; event: string; data: any };

type EventStream = Awaited<ReturnType<typeof openEventStream>>;

/** A client of GET /api/stream, as fetch-event-source reads it, that keeps all it gets. Throws where it is not answered with 200. */
export async function openEventStream(
  url: string,
  { query = "", lastEventId }: { query?: string; lastEventId?: string } = {},
) {
  const closing = new AbortController();
  const response = await fetch(`${url}/api/stream${query}`, {
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
    signal: closing.signal,
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);

  const all: StreamEvent[] = [];
  const ids: string[] = [];
  let outcome: "open" | "ended" | "cut off" = "open";
  const happened = () => all.filter(({ event }) => event !== "ready");

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
    /** What came, `ready` left out. */
    get events() {
      return happened();
    },
    /** The ids that came, with those that come without an event. */
    get ids() {
      return ids;
    },
    get lastId() {
      return ids.at(-1) ?? lastEventId;
    },
    get outcome() {
      return outcome;
    },
    /** Resolves once the answer is over, however it ended. */
    over,
    /** Resolves once it gets everything that happens from then on. */
    untilReady: () =>
      until("the stream to be ready", async () => {
        if (outcome !== "open") throw new Error(`the stream ${outcome} before it was ready`);
        return all.some(({ event }) => event === "ready");
      }),
    /** Resolves once it has so many events, or is over. */
    untilEvents: (count: number) =>
      until(`${count} events`, async () => happened().length >= count || outcome !== "open"),
    async close(): Promise<void> {
      closing.abort();
      await over;
    },
  };
}

/**
 * A client that loses its connection again and again, after a few events each time, and comes back with the last id to
 * whichever server it is told.
 */
export function followStream(urlOf: () => string, { query, hop }: { query?: string; hop: () => number }) {
  const events: StreamEvent[] = [];
  let lastId: string | undefined;
  let stream: EventStream | undefined;
  let isStopped = false;
  let connections = 0;

  const running = (async () => {
    while (!isStopped) {
      // Nobody is there while a server starts again.
      stream = await openEventStream(urlOf(), { query, lastEventId: lastId }).catch((error: Error) => {
        if (/^\d{3}: /.test(error.message) && !error.message.startsWith("503")) throw error;
        return undefined;
      });
      if (stream === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      connections++;
      const current = stream;
      const most = hop();
      await until(
        "events to hop",
        async () => isStopped || current.events.length >= most || current.outcome !== "open",
      );
      await current.close();
      // Of what came meanwhile too.
      events.push(...current.events);
      lastId = current.lastId;
    }
  })();
  running.catch(() => {});

  return {
    /** All that came, in the order in which it came. */
    get events() {
      return [...events, ...(isStopped ? [] : (stream?.events ?? []))];
    },
    get connections() {
      return connections;
    },
    /** Resolves once it has got what was to come. */
    async stop(): Promise<StreamEvent[]> {
      isStopped = true;
      await running;
      return events;
    },
  };
}
