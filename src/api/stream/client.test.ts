import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createStreamClient } from "./client.ts";

const bytes = (length: number) => new Uint8Array(length);

test("a client reads what is sent, to the end", async () => {
  const client = createStreamClient(1_000, undefined);
  client.send(Buffer.from("one "));
  client.send(Buffer.from("two"));
  client.close();
  client.send(Buffer.from("too late"));
  expect(await new Response(client.body).text()).toBe("one two");
  expect(client.closed.aborted).toBe(true);
});

test("it is cut off once too many bytes are queued, and not before", async () => {
  const outgoing = new PassThrough();
  const client = createStreamClient(1_000, outgoing);
  for (const length of [400, 600, 5_000]) client.send(bytes(length));
  expect(client.closed.aborted).toBe(false);
  client.send(bytes(1));
  expect([client.closed.aborted, outgoing.destroyed]).toEqual([true, true]);
});

test("bytes buffered by the underlying response count as queued", () => {
  const outgoing = new PassThrough({ highWaterMark: 1 });
  outgoing.write(bytes(100_000));
  const client = createStreamClient(outgoing.writableLength - 1, outgoing);
  client.send(bytes(1));
  expect(client.closed.aborted).toBe(true);
});

test("it is drained once the client asks for more", async () => {
  const client = createStreamClient(1_000, undefined);
  const reader = client.body.getReader();
  client.send(bytes(10));
  client.send(bytes(10));
  let isDrained = false;
  const drained = client.drained().then(() => {
    isDrained = true;
  });
  await reader.read();
  await reader.read();
  expect(isDrained).toBe(false);
  void reader.read();
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

  const cancelled = createStreamClient(1_000, undefined);
  await cancelled.body.cancel();
  expect(cancelled.closed.aborted).toBe(true);
});
