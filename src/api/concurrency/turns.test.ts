import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns, noteAccepted } from "./event-loop.ts";

test("a request begins at once if it is the only one", async () => {
  const take = createTurns();
  for (const client of ["a", "a", "b"]) {
    let hasBegun = false;
    take(client, () => {
      hasBegun = true;
    });
    expect(hasBegun).toBe(true);
    await yieldToEventLoop();
    await yieldToEventLoop();
  }
});

test("clients take turns, one costly request per tick, each client's in order", async () => {
  const take = createTurns();
  let tick = 0;
  const begun: [string, number][] = [];
  const send = (client: string, count: number) => {
    for (let number = 0; number < count; number++)
      take(client, () => {
        begun.push([`${client}${number}`, tick]);
        for (const since = performance.now(); performance.now() - since < 1; );
      });
  };
  send("crowd", 50);
  send("b", 2);
  send("c", 1);
  for (; tick < 100; tick++) await yieldToEventLoop();
  expect(begun.map(([request]) => request).slice(0, 7)).toEqual([
    "crowd0",
    "crowd1",
    "b0",
    "c0",
    "crowd2",
    "b1",
    "crowd3",
  ]);
  expect(begun).toHaveLength(53);
  // The first began before the first tick.
  expect(new Set(begun.slice(1).map(([, at]) => at)).size).toBe(52);
});

test("clients that keep connecting hold requests up, but only for a while", async () => {
  const take = createTurns();
  noteAccepted();
  let begun = 0;
  for (let number = 0; number < 3; number++) take("a", () => begun++);
  expect(begun).toBe(0);
  const since = performance.now();
  while (begun < 3) {
    noteAccepted();
    await yieldToEventLoop();
    expect(performance.now() - since).toBeLessThan(30_000);
  }
});
