import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { noteAccepted, whenAccepted } from "./event-loop.ts";

/** The ticks that pass until a promise resolves. */
async function ticksUntil(promise: Promise<void> | undefined): Promise<number> {
  let isDone = false;
  void promise?.then(() => {
    isDone = true;
  });
  let ticks = 0;
  for (; !isDone; ticks++) await yieldToEventLoop();
  return ticks;
}

test("work waits only while clients connect, until a tick brings no connection", async () => {
  expect(whenAccepted()).toBeUndefined();
  for (let connection = 0; connection < 5; connection++) {
    noteAccepted();
    expect(whenAccepted()).toBeInstanceOf(Promise);
    await yieldToEventLoop();
  }
  expect(await ticksUntil(whenAccepted())).toBeLessThanOrEqual(3);
  expect(whenAccepted()).toBeUndefined();
});

test("a client that keeps connecting holds nobody up for longer than 16 ticks", async () => {
  noteAccepted();
  const waiting = ticksUntil(whenAccepted());
  for (let tick = 0; tick < 100; tick++) {
    noteAccepted();
    await yieldToEventLoop();
  }
  expect(await waiting).toBeLessThanOrEqual(18);
  expect(whenAccepted()).toBeInstanceOf(Promise);
});
