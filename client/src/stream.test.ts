import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readStream, type StreamQuery } from "./stream.ts";

type Connection = { url: string; lastEventId: string | undefined; send: (text: string) => void };

let connections: Connection[] = [];

/** Answers each connection with a stream that stays open, as a network does that has gone without a word. */
const fetchStream: typeof fetch = async (url, { headers, signal } = {}) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener("abort", () => controller.error(signal.reason));
      connections.push({
        url: String(url),
        lastEventId: new Headers(headers).get("last-event-id") ?? undefined,
        send: (text) => controller.enqueue(new TextEncoder().encode(text)),
      });
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

const graduated = (cursor: string) => `id: ${cursor}\nevent: graduated\ndata: {"kind":"graduated"}\n\n`;
const open = (query: StreamQuery = {}, baseUrl = "http://launchpad.example") =>
  readStream(baseUrl, query, fetchStream);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  connections = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a connection that has gone silent is replaced, and the stream goes on after the last event", async () => {
  const stream = open();
  const first = stream.next();
  await pass(0);
  connections[0]?.send(graduated("1-1"));
  expect((await first).value).toMatchObject({ cursor: "1-1" });
  const second = stream.next();
  await pass(44_000);
  expect(connections).toHaveLength(1);
  await pass(3_000);
  expect(connections.map(({ lastEventId }) => lastEventId)).toEqual([undefined, "1-1"]);
  connections[1]?.send(graduated("2-1"));
  expect((await second).value).toMatchObject({ cursor: "2-1" });
  await stream.return();
});

test("a lost connection is made again after the pause that the server has asked for", async () => {
  const stream = open();
  const first = stream.next();
  await pass(0);
  connections[0]?.send(`retry: 2500\n${graduated("1-1")}`);
  await first;
  const second = stream.next();
  // It goes silent.
  await pass(45_000 + 2_400);
  expect(connections).toHaveLength(1);
  await pass(200);
  expect(connections).toHaveLength(2);
  connections[1]?.send(graduated("2-1"));
  await second;
  await stream.return();
});

test("an error whose explanation never ends counts as a lost connection", async () => {
  let attempts = 0;
  const failing: typeof fetch = async (_, { signal } = {}) => {
    attempts++;
    const body = new ReadableStream({
      start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason)),
    });
    return new Response(body, { status: 503, headers: { "content-type": "application/problem+json" } });
  };
  const closing = new AbortController();
  const next = readStream("http://launchpad.example", { signal: closing.signal }, failing).next();
  await pass(32_000);
  expect(attempts).toBe(2);
  closing.abort();
  expect((await next).done).toBe(true);
});

test("comments, and a consumer that takes its time, keep a connection", async () => {
  const stream = open();
  const first = stream.next();
  await pass(0);
  for (let beat = 0; beat < 10; beat++) {
    await pass(30_000);
    connections[0]?.send(":\n");
  }
  connections[0]?.send(graduated("1-1"));
  await first;
  await pass(600_000);
  const second = stream.next();
  connections[0]?.send(graduated("2-1"));
  expect((await second).value).toMatchObject({ cursor: "2-1" });
  expect(connections).toHaveLength(1);
  await stream.return();
});

test("a service below a path has its stream there too, as its other endpoints", async () => {
  const stream = open({ kind: "trade", silenceTimeoutMs: 1_000 }, "http://example.com/launchpad/");
  const next = stream.next();
  await pass(0);
  expect(connections[0]?.url).toBe("http://example.com/launchpad/api/stream?kind=trade");
  connections[0]?.send(graduated("1-1"));
  await next;
  await stream.return();
});

test("what answers with something else than a stream is not the API", async () => {
  const page: typeof fetch = async () =>
    new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } });
  const stream = readStream("http://launchpad.example", {}, page);
  await expect(stream.next()).rejects.toMatchObject({ code: "not_the_api", status: 200 });
});

test("a page in place of the stream during a restart passes, and nothing is missed", async () => {
  const asked: (string | null)[] = [];
  const answers = [
    [graduated("1-1"), "text/event-stream"],
    ["<html>", "text/html"],
    [graduated("3-1"), "text/event-stream"],
  ] as const;
  const restarted: typeof fetch = async (_, { headers } = {}) => {
    const [body, type = "text/plain"] = answers[asked.length] ?? [];
    asked.push(new Headers(headers).get("last-event-id"));
    return new Response(body, { headers: { "content-type": type } });
  };
  const stream = readStream("http://launchpad.example", {}, restarted);
  expect((await stream.next()).value).toMatchObject({ cursor: "1-1" });
  const second = stream.next();
  await pass(10_000);
  expect((await second).value).toMatchObject({ cursor: "3-1" });
  expect(asked).toEqual([null, "1-1", "1-1"]);
  await stream.return();
});
