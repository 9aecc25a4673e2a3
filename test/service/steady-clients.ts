import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { cursorPattern } from "../../src/api/stream/cursor.ts";
import { openEventStream, type StreamEvent } from "./event-stream.ts";

type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string };

/** Sends one request with Node's own client, which never retries. Rejects if the connection fails. */
export function request(
  url: string,
  { agent, body }: { agent?: http.Agent; body?: object } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = http.request(url, {
      // Without an agent, each request gets a new connection.
      agent: agent ?? false,
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json" },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Reads X-Index-Block; undefined if the answer came without it, as it may while the database is slow. */
export function indexBlockOf(headers: http.IncomingHttpHeaders): number | undefined {
  const given = headers["x-index-block"];
  return given === undefined ? undefined : Number(/^\d+:(\d+)$/.exec(String(given))?.[1]);
}

/**
 * Clients that send requests until they are stopped, and record every problem with an answer. Each pauses between two requests for
 * the current `restMs()`, in milliseconds.
 */
export function startSteadyClients(url: string, { restMs }: { restMs: () => number }) {
  const problems: string[] = [];
  const working: Promise<void>[] = [];
  const agents: http.Agent[] = [];
  const endings: (() => void)[] = [];
  let isStopped = false;
  let answers = 0;

  function repeat(name: string, step: () => Promise<void>, ownRestMs = restMs): void {
    working.push(
      (async () => {
        while (!isStopped) {
          await step().catch((error: unknown) => problems.push(`${name}: ${error}`));
          await rest(ownRestMs);
        }
      })(),
    );
  }

  /** Pauses for the current `ms()`, however it changes meanwhile. */
  async function rest(ms: () => number): Promise<void> {
    // A step that fails at once must not block the event loop.
    if (ms() === 0) return new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    for (let left = ms(); left > 0 && !isStopped; left = began + ms() - performance.now())
      await delay(Math.min(left, 40));
  }

  const keptAlive = (connections: number) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    agents.push(agent);
    return agent;
  };

  /** Repeats a request, `at` of them concurrently. No answer may be older than one that came before its request was sent. */
  function read(
    name: string,
    path: string,
    agent: http.Agent | undefined,
    { body, at = 1 }: { body?: object; at?: number } = {},
  ) {
    let newest = 0;
    endings.push(() => {
      if (newest === 0) problems.push(`${name}: no answer told its block`);
    });
    for (let place = 0; place < at; place++) {
      repeat(name, async () => {
        const known = newest;
        const { status, headers, text } = await request(url + path, { agent, body });
        answers++;
        if (status !== 200 || text.includes('"errors"'))
          problems.push(`${name}: ${status} ${text.slice(0, 300)}`);
        const block = indexBlockOf(headers);
        if (block === undefined) return;
        // Also true if the header isn't a number.
        if (!(block >= known)) problems.push(`${name}: block ${block} after ${known}`);
        newest = Math.max(newest, block);
      });
    }
  }

  /** Follows the stream, and reconnects with the last id whenever it ends. */
  function follow(events: StreamEvent[], ready: () => void) {
    let lastEventId: string | undefined;
    repeat("stream", async () => {
      const stream = await openEventStream(url, { lastEventId });
      const stopping = setInterval(() => isStopped && void stream.close(), 20);
      if (lastEventId === undefined) await stream.untilReady();
      ready();
      await stream.over;
      clearInterval(stopping);
      if (stream.outcome === "cut off" && !isStopped) problems.push("stream: cut off");
      events.push(...stream.events);
      lastEventId = stream.lastId;
    });
  }

  /** Polls for the same events over kept-alive connections. */
  function poll(events: StreamEvent[], ready: () => void) {
    const agent = keptAlive(4);
    let cursor: string | undefined;
    repeat("poll", async () => {
      const query = cursor === undefined ? "?timeout=0" : `?timeout=2&cursor=${cursor}`;
      const { status, text } = await request(`${url}/api/events${query}`, { agent });
      if (status !== 200) return void problems.push(`poll: ${status} ${text}`);
      const page = JSON.parse(text);
      cursor = page.nextCursor;
      ready();
      for (const { cursor: id, removed, ...data } of page.events) {
        events.push({ id, event: removed ? "removed" : data.kind, data });
      }
    });
  }

  return {
    problems,
    answers: () => answers,
    keptAlive,
    read,
    repeat,
    follow,
    poll,
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(working);
      for (const agent of agents) agent.destroy();
      for (const end of endings) end();
    },
  };
}

/** Returns what is wrong with the order of events: each id must come after the previous one. */
export function orderViolations(events: StreamEvent[]): string[] {
  const places = events.map(({ id }) => cursorPattern.exec(id)?.slice(1, 3).map(Number) ?? []);
  return places.flatMap(([event = -1, version = -1], index) => {
    const [lastEvent = -1, lastVersion = -1] = places[index - 1] ?? [];
    const isAfter =
      event >= lastEvent && version >= lastVersion && (event > lastEvent || version > lastVersion);
    return isAfter ? [] : [`${events[index - 1]?.id} before ${events[index]?.id}`];
  });
}
