import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { afterAccepting, noteAccepted } from "./event-loop.ts";

/** The ticks that pass until a promise resolves. */
async function ticksUntil(promise: Promise<void> | undefined): Promise<number> {
  let isDone = false;
  void promise?.then(() => {
    isDone = true;
  });
  let ticks = 0;
  for (; !isDone; ticks++) await nextTick();
  return ticks;
}

test("work waits only while clients connect, until a tick brings no connection", async () => {
  expect(afterAccepting()).toBeUndefined();
  for (let connection = 0; connection < 5; connection++) {
    noteAccepted();
    expect(afterAccepting()).toBeInstanceOf(Promise);
    await nextTick();
  }
  expect(await ticksUntil(afterAccepting())).toBeLessThanOrEqual(3);
  expect(afterAccepting()).toBeUndefined();
});

test("a client that keeps connecting holds nobody up for longer than 16 ticks", async () => {
  noteAccepted();
  const waiting = ticksUntil(afterAccepting());
  for (let tick = 0; tick < 100; tick++) {
    noteAccepted();
    await nextTick();
  }
  expect(await waiting).toBeLessThanOrEqual(18);
  expect(afterAccepting()).toBeInstanceOf(Promise);
});
