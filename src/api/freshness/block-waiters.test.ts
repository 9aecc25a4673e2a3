import { expect, test } from "vitest";
import { ClientGoneError } from "../http/hang-up.ts";
import { type BlockWait, createBlockWaiters } from "./block-waiters.ts";

function waiters() {
  const blocks = new Map([[56, 10]]);
  let reads = 0;
  const untilIndexed = createBlockWaiters(async () => {
    reads++;
    return blocks;
  });
  const wait = (changes: Partial<BlockWait> = {}) =>
    untilIndexed({ chainId: 56, block: 11, client: "one", gone: new AbortController().signal, ...changes });
  return { blocks, wait, reads: () => reads };
}

test("one client may have fifty requests wait, and others wait all the same", async () => {
  const { blocks, wait } = waiters();
  const waiting = Array.from({ length: 50 }, () => wait());
  await expect(wait()).rejects.toMatchObject({ problem: { status: 503, code: "busy", retryAfter: 1 } });
  const other = wait({ client: "other" });
  blocks.set(56, 11);
  await Promise.all([...waiting, other]);
  // All have left.
  blocks.set(56, 10);
  const again = wait();
  blocks.set(56, 12);
  await again;
});

test("whoever hangs up leaves at once", async () => {
  const { wait } = waiters();
  const client = new AbortController();
  const waiting = Array.from({ length: 50 }, () => wait({ gone: client.signal }));
  client.abort();
  for (const left of waiting) await expect(left).rejects.toThrow(ClientGoneError);
  await expect(wait({ gone: client.signal })).rejects.toThrow(ClientGoneError);
});

test("those who wait share one poll, and a block that is there is not waited for", async () => {
  const { blocks, wait, reads } = waiters();
  await wait({ block: 10 });
  expect(reads()).toBe(1);
  const waiting = Array.from({ length: 20 }, (_, index) => wait({ client: `${index}` }));
  await expect.poll(reads).toBeGreaterThan(21);
  // Each has looked once, and all of them together since.
  expect(reads()).toBeLessThan(40);
  blocks.set(56, 11);
  await Promise.all(waiting);
});
