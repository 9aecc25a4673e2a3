import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { countTicks } from "../../../test/service/tick-count.ts";
import { createSlots } from "../concurrency/semaphore.ts";
import { streamBlocks } from "./image-routes.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const newSlots = () =>
  createSlots({ max: 1, maxPerOwner: 1, stallMs: 1_000, refuse: () => new Error("refused") });

/** Blocks that count how many of them were read. */
function counted(sizes: number[]) {
  const found = { read: 0, ended: false };
  async function* blocks() {
    try {
      for (const size of sizes) {
        found.read++;
        yield new Uint8Array(size).fill(found.read);
      }
    } finally {
      found.ended = true;
    }
  }
  return { found, blocks: blocks() };
}

test("a block is read once the previous one was taken, in small chunks", async () => {
  const { found, blocks } = counted([262_144, 262_144, 100]);
  const slots = newSlots();
  const body = streamBlocks(blocks, { slots, owner: "a", outgoing: undefined });
  expect(found.read).toBe(0);
  const reader = body.getReader();
  for (const expected of [1, 1, 1, 1, 2, 2, 2, 2, 3]) {
    const { value } = await reader.read();
    expect([value?.[0], value?.length]).toEqual([expected, expected === 3 ? 100 : 65_536]);
    expect(found.read).toBe(expected);
  }
  expect(() => slots.take("b", () => {})).toThrow("refused");
  expect((await reader.read()).done).toBe(true);
  slots.take("b", () => {});
});

test("a cancelled body reads nothing more and frees its slot", async () => {
  const { found, blocks } = counted([262_144, 262_144]);
  const slots = newSlots();
  const reader = streamBlocks(blocks, { slots, owner: "a", outgoing: undefined }).getReader();
  await reader.read();
  await reader.cancel();
  slots.take("b", () => {});
  await expect.poll(() => found).toEqual({ read: 1, ended: true });
});

test("a stalled client loses its slot to another one", async () => {
  const slots = newSlots();
  const stalled = streamBlocks(counted([262_144]).blocks, { slots, owner: "a", outgoing: undefined });
  const reader = stalled.getReader();
  await reader.read();
  const next = () => streamBlocks(counted([1]).blocks, { slots, owner: "b", outgoing: undefined });
  vi.advanceTimersByTime(999);
  expect(next).toThrow("refused");
  vi.advanceTimersByTime(1);
  next();
  await expect(reader.read()).rejects.toThrow("could not be sent");
});

test("one block per tick of the event loop is read, of all images together", async () => {
  const ticks = countTicks();
  const readIn: number[] = [];
  async function* blocks() {
    readIn.push(ticks.now());
    yield new Uint8Array(10);
  }
  const slots = createSlots({
    max: 5,
    maxPerOwner: 5,
    stallMs: 1_000,
    refuse: () => new Error("refused"),
  });
  const bodies = Array.from({ length: 5 }, () =>
    streamBlocks(blocks(), { slots, owner: "a", outgoing: undefined }),
  );
  await Promise.all(bodies.map((body) => body.getReader().read()));
  ticks.stop();
  expect(new Set(readIn).size).toBe(5);
});
