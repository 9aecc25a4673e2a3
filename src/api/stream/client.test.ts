import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createStreamClient } from "./broadcaster.ts";

const bytes = (length: number) => new Uint8Array(length);

function startClient(maxBytes: number, outgoing: PassThrough) {
  const client = createStreamClient(maxBytes, outgoing);
  client.start();
  return client;
}

test("a client reads what is sent, to the end", async () => {
  // It is full after each message.
  const outgoing = new PassThrough({ highWaterMark: 1 });
  const client = createStreamClient(1_000, outgoing);
  client.send(Buffer.from("one "));
  client.start();
  client.send(Buffer.from("two "));
  client.send(Buffer.from("three"));
  client.close();
  client.send(Buffer.from("too late"));
  expect(await text(outgoing)).toBe("one two three");
  expect(client.closed.aborted).toBe(true);
});

test("nothing is written before the start, not even the end", async () => {
  const outgoing = new PassThrough();
  const client = createStreamClient(1_000, outgoing);
  client.send(bytes(10));
  expect([outgoing.readableLength, client.queuedBytes()]).toEqual([0, 10]);
  const refused = createStreamClient(1_000, outgoing);
  refused.close();
  expect(outgoing.writableEnded).toBe(false);
  client.start();
  expect([outgoing.readableLength, client.queuedBytes()]).toEqual([10, 0]);
});

test("it is cut off once too many bytes are queued, and not before", async () => {
  const outgoing = new PassThrough();
  const client = createStreamClient(1_000, outgoing);
  for (const length of [400, 600, 5_000]) client.send(bytes(length));
  expect(client.closed.aborted).toBe(false);
  client.send(bytes(1));
  expect([client.closed.aborted, client.queuedBytes(), outgoing.destroyed]).toEqual([true, 0, true]);
});

test("bytes buffered by the underlying response count as queued", () => {
  const outgoing = new PassThrough({ highWaterMark: 1 });
  outgoing.write(bytes(100_000));
  const client = startClient(outgoing.writableLength - 1, outgoing);
  client.send(bytes(1));
  expect(client.closed.aborted).toBe(true);
});

test("it is drained once the client has taken what was queued", async () => {
  const outgoing = new PassThrough({ highWaterMark: 1 });
  const client = startClient(1_000, outgoing);
  // The first fills the buffers.
  for (let count = 0; count < 3; count++) client.send(bytes(10));
  let isDrained = false;
  const drained = client.drained().then(() => {
    isDrained = true;
  });
  await new Promise(setImmediate);
  expect([isDrained, client.queuedBytes()]).toEqual([false, 20]);
  outgoing.resume();
  await drained;
  await client.drained();
});

test("any end of the connection closes it", async () => {
  const outgoing = new PassThrough();
  const client = createStreamClient(1_000, outgoing);
  client.send(bytes(10));
  const drained = client.drained();
  outgoing.destroy();
  await drained;
  expect(client.closed.aborted).toBe(true);

  const gone = new PassThrough().destroy();
  expect(createStreamClient(1_000, gone).closed.aborted).toBe(true);
});
