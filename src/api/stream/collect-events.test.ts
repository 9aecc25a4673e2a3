import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { createStreamClient } from "./broadcaster.ts";
import { formatReady } from "./format.ts";
import { collectEvents } from "./stream.ts";

const trade = 'id: 2-0\nevent: trade\ndata: {"kind":"trade"}\n\n';

/** Collects from a stream that sends nothing until it is told to. */
function collecting(options: { cursor?: string; timeout: AbortSignal; abort: AbortSignal }) {
  let send = (_: string) => {};
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(Buffer.from(text));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const answer = collectEvents({ body, limit: 10, cursor: undefined, ...options });
  return { answer, send, isCancelled: () => isCancelled };
}

const never = new AbortController().signal;
const over = AbortSignal.abort();

test("earlier events are read however short the timeout and slow the database", async () => {
  const { answer, send, isCancelled } = collecting({ cursor: "1-0", timeout: over, abort: never });
  await new Promise(setImmediate);
  send(trade);
  expect(await answer).toEqual({
    events: [{ kind: "trade", cursor: "2-0", removed: false }],
    nextCursor: "2-0",
    timedOut: false,
  });
  expect(isCancelled()).toBe(true);
});

test("the wait ends with the timeout once there are no earlier events, at the stream's position", async () => {
  const { answer, send } = collecting({ timeout: over, abort: never });
  await new Promise(setImmediate);
  send(formatReady("1-0", 1_000));
  expect(await answer).toEqual({ events: [], nextCursor: "1-0", timedOut: true });
});

test("a reader that must not wait any longer gets its own position, or none if the stream has not begun", async () => {
  const { answer } = collecting({ cursor: "1-0", timeout: never, abort: over });
  expect(await answer).toEqual({ events: [], nextCursor: "1-0", timedOut: true });
  expect(await collecting({ timeout: never, abort: over }).answer).toBeUndefined();
});

test("a reader whose stream is cut off, to give its place to another, goes on from its position", async () => {
  const body = new PassThrough();
  const reading = {
    body: Readable.toWeb(body),
    cursor: "1-0",
    limit: 10,
    timeout: never,
    abort: never,
  };
  const answer = collectEvents(reading);
  createStreamClient(1_000, body).destroy();
  expect(await answer).toEqual({ events: [], nextCursor: "1-0", timedOut: true });
});
