import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLaunchpadClient } from "./index.ts";

const mint = `0x${"ab".repeat(20)}`;
const encoder = new TextEncoder();

let answers: (Response | Error)[] = [];
let send: (text: string) => void = () => {};
/** Which kinds of events the stream was asked for. */
let kinds: string | null = null;

/** A service with one stream, which stays open, and these answers to requests for the token. */
const fetchAnswers: typeof fetch = async (request, { signal } = {}) => {
  if (request instanceof Request) {
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error("the token was read once more than expected");
  }
  kinds = new URL(String(request)).searchParams.get("kind");
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener("abort", () => controller.error(signal.reason));
      send = (text) => controller.enqueue(encoder.encode(text));
      send('id: 1-1\nevent: ready\ndata: {"cursor":"1-1"}\n\n');
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

const client = createLaunchpadClient({ baseUrl: "http://launchpad.example", fetch: fetchAnswers });
const withProgress = (progress: number) => Response.json({ mint, progress });
const busy = () => new Response(null, { status: 503, headers: { "retry-after": "60" } });
const sendTrade = () => send('id: 2-1\nevent: trade\ndata: {"kind":"trade","block":7}\n\n');
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a token is read again where nothing answered, as after a restart, and the watch goes on", async () => {
  answers = [new TypeError("fetch failed"), withProgress(1), new TypeError("fetch failed"), withProgress(2)];
  const watched = client.watchToken(mint);
  const first = watched.next();
  await pass(1_000);
  expect((await first).value).toMatchObject({ token: { progress: 1 }, event: undefined });
  const second = watched.next();
  sendTrade();
  await pass(1_000);
  expect((await second).value).toMatchObject({ token: { progress: 2 }, event: { kind: "trade", block: 7 } });
  await watched.return();
});

test("liquidity and transfers, which the stream sends only to those who ask, are watched too", async () => {
  answers = [withProgress(1)];
  const watched = client.watchToken(mint);
  await watched.next();
  expect(kinds?.split(",")).toEqual(
    expect.arrayContaining(["trade", "transfer", "liquidity_added", "liquidity_removed"]),
  );
  await watched.return();
});

test("an error that another attempt would not avoid is thrown", async () => {
  const problem = { status: 404, code: "token_not_found", detail: "There is none." };
  const headers = { "content-type": "application/problem+json" };
  answers = [new Response(JSON.stringify(problem), { status: 404, headers })];
  await expect(client.watchToken(mint).next()).rejects.toMatchObject({ code: "token_not_found" });
});

test("the signal ends it at once, also while it waits for its turn to read", async () => {
  const closing = new AbortController();
  answers = [withProgress(1), busy(), busy()];
  const watched = client.watchToken(mint, { signal: closing.signal });
  await watched.next();
  const second = watched.next();
  sendTrade();
  await pass(10_000);
  closing.abort();
  expect((await second).done).toBe(true);
  expect(answers).toHaveLength(1);
});
