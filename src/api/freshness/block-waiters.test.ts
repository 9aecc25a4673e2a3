import { expect, test } from "vitest";
import { ClientGoneError } from "../http/problem.ts";
import { type BlockWait, createBlockWaiters } from "./index-block.ts";

function waiters() {
  const blocks = new Map([[56, 10]]);
  let reads = 0;
  const waitForBlock = createBlockWaiters(async () => {
    reads++;
    return blocks;
  });
  const wait = (changes: Partial<BlockWait> = {}) =>
    waitForBlock({ chainId: 56, block: 11, client: "one", signal: new AbortController().signal, ...changes });
  return { blocks, wait, reads: () => reads };
}

test("one client may have fifty waiting requests, and doesn't keep others from waiting", async () => {
  const { blocks, wait } = waiters();
  const waiting = Array.from({ length: 50 }, () => wait());
  await expect(wait()).rejects.toMatchObject({ problem: { status: 503, code: "busy", retryAfter: 1 } });
  const other = wait({ client: "other" });
  blocks.set(56, 11);
  await Promise.all([...waiting, other]);
  // All slots are free again.
  blocks.set(56, 10);
  const again = wait();
  blocks.set(56, 12);
  await again;
});

test("a client that disconnects stops waiting at once", async () => {
  const { wait } = waiters();
  const client = new AbortController();
  const waiting = Array.from({ length: 50 }, () => wait({ signal: client.signal }));
  client.abort();
  for (const left of waiting) await expect(left).rejects.toThrow(ClientGoneError);
  await expect(wait({ signal: client.signal })).rejects.toThrow(ClientGoneError);
});

test("waiting requests share one poll, and nothing waits for an indexed block", async () => {
  const { blocks, wait, reads } = waiters();
  await wait({ block: 10 });
  expect(reads()).toBe(1);
  const waiting = Array.from({ length: 20 }, (_, index) => wait({ client: `${index}` }));
  await expect.poll(reads).toBeGreaterThan(21);
  // Each has read once, and since then they share the reads.
  expect(reads()).toBeLessThan(40);
  blocks.set(56, 11);
  await Promise.all(waiting);
});
