import { afterEach, beforeEach, expect, test } from "vitest";
import { type HttpServer, type Reply, startHttpServer } from "../../test/doubles/http-server.ts";
import { StartError } from "../start-error.ts";
import { createHistoryWatch, type ReadyWait, waitUntilReady } from "./wait-until-ready.ts";

let api: HttpServer;
let reply: Reply;
let blocks: { next: number; running: number };
let stopping: AbortController;
const limits = { silentMs: 1_000, stalledMs: 1_000 };

beforeEach(async () => {
  api = await startHttpServer(async () => reply);
  reply = { status: 503, body: '{"code":"not_indexed_yet","detail":"Historical indexing is not complete."}' };
  blocks = { next: 1, running: 1 };
  stopping = new AbortController();
});
afterEach(() => api.close());

const wait = (options: Partial<ReadyWait> = {}) =>
  waitUntilReady({
    apiUrl: () => api.url,
    readPositions: async () => ({
      next: new Map([[56, blocks.next]]),
      running: new Map([[56, blocks.running]]),
    }),
    readHistory: () => "",
    lastLine: () => undefined,
    signal: stopping.signal,
    log: () => {},
    limits,
    ...options,
  });

test("it ends once the API is ready and has the running version's last block", async () => {
  reply = { status: 200, body: "{}" };
  let looks = 0;
  await wait({
    readPositions: async () => {
      looks++;
      return { next: new Map([[56, looks]]), running: new Map([[56, 3]]) };
    },
  });
  expect(looks).toBe(3);
});

test.each<[string, Partial<ReadyWait>, string]>([
  ["that isn't ready", {}, "block 1 of chain 56: Historical indexing is not complete."],
  [
    "without an API",
    { apiUrl: () => undefined, lastLine: () => "EADDRINUSE 42070" },
    "block 1 of chain 56: its API doesn't answer: EADDRINUSE 42070",
  ],
  [
    "whose database is away",
    { readPositions: () => Promise.reject(new Error("connect ECONNREFUSED")) },
    "nothing yet: the database doesn't answer (connect ECONNREFUSED)",
  ],
])("a new version %s is given up, with the reason", async (_, options, reason) => {
  const failed = await wait(options).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StartError);
  expect(String(failed)).toMatch(/the new version has made no progress for \d+ s, and is indexed up to /);
  expect(String(failed)).toContain(reason);
});

test("a new version that follows but never catches up is given up once it stands still", async () => {
  reply = { status: 200, body: "{}" };
  blocks = { next: 1, running: 3 };
  await expect(wait()).rejects.toThrow("block 1 of chain 56: the running one is at block 3 of chain 56");
});

test("blocks, and history that is read, are progress; requests that fail are not", async () => {
  const history = createHistoryWatch();
  let count = 0;
  const timer = setInterval(() => {
    count++;
    if (count < 20) blocks.next++;
    else if (count < 40)
      history.onLine(`chain 56: history 1 %: ${count} of 900 blocks, 0 events, 7 requests`);
    else history.onLine(`chain 56: history 1 %: 39 of 900 blocks, 0 events, ${count} requests, 9 h left`);
  }, 50);
  await expect(wait({ readHistory: history.read, limits: { stalledMs: 1_500 } })).rejects.toThrow(
    "block 20 of chain 56",
  );
  clearInterval(timer);
  expect(count).toBeGreaterThan(45);
});

test("a stop ends it", async () => {
  const waiting = wait();
  stopping.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("aborted");
});
