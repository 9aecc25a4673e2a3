import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { countTicks } from "../../../test/service/tick-count.ts";
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

test("clients whose requests cost less lately go first, one costly request per tick, each client's in order", async () => {
  const take = createTurns();
  let tick = 0;
  const begun: [string, number][] = [];
  const send = (client: string, count: number, costMs: number) => {
    for (let number = 0; number < count; number++)
      take(client, () => {
        begun.push([`${client}${number}`, tick]);
        for (const since = performance.now(); performance.now() - since < costMs; );
      });
  };
  const waitForTicks = async (count: number) => {
    for (const until = tick + count; tick < until; tick++) await yieldToEventLoop();
  };
  const crowd = Array.from({ length: 10 }, (_, member) => `crowd${member}-`);
  for (const member of crowd) send(member, 5, 3);
  await waitForTicks(15);
  send("b", 1, 1);
  await waitForTicks(100);
  const names = begun.map(([request]) => request);
  expect(names).toHaveLength(51);
  // One begins at once, the others in turn.
  expect(new Set(names.slice(1, 11).map((name) => name.slice(0, 7))).size).toBe(10);
  // All others have had a turn, and four more requests each.
  expect(names.indexOf("b0")).toBeLessThan(20);
  for (const member of crowd)
    expect(names.filter((name) => name.startsWith(member))).toEqual(
      [0, 1, 2, 3, 4].map((number) => `${member}${number}`),
    );
  // The first began before the first tick.
  expect(new Set(begun.slice(1).map(([, at]) => at)).size).toBe(50);
});

test("a request has its turn until it waits for something outside, however many promises it awaits before", async () => {
  const take = createTurns();
  const ticks = countTicks();
  const workedIn: number[] = [];
  for (let number = 0; number < 20; number++)
    take("a", async () => {
      for (let promise = 0; promise < 50; promise++) await undefined;
      for (const since = performance.now(); performance.now() - since < 2; );
      workedIn.push(ticks.now());
    });
  await vi.waitUntil(() => workedIn.length === 20);
  ticks.stop();
  expect(new Set(workedIn).size).toBe(20);
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

test("requests that can wait let all others go first, but not for ever", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => void clock.mockRestore());
  const take = createTurns();
  const begun: string[] = [];
  const send = (client: string, name: string, isPatient: boolean) =>
    take(client, () => void begun.push(name), { isPatient });
  send("first", "first", true);
  for (let number = 0; number < 20; number++) send(`crowd${number}`, `stream${number}`, true);
  send("a", "stream of a", true);
  send("a", "page of a", false);
  await vi.waitUntil(() => begun.length === 23);
  // The first of all may begin at once.
  expect(begun.indexOf("page of a")).toBeLessThan(2);

  send("first", "first", true);
  send("b", "old stream", true);
  clock.mockReturnValue(6_000);
  send("c", "page of c", false);
  await vi.waitUntil(() => begun.length === 26);
  expect(begun.slice(-2)).toEqual(["old stream", "page of c"]);
});

test("while clients connect, requests that can wait begin one by one, and at once afterwards", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => void clock.mockRestore());
  const take = createTurns();
  const begun: string[] = [];
  /** When each of those that can wait began. */
  const at: number[] = [];
  let now = 0;
  const send = (name: string, isPatient: boolean) =>
    take(
      name,
      () => {
        begun.push(name);
        if (isPatient) at.push(now);
      },
      { isPatient },
    );
  noteAccepted();
  for (const name of ["first", "second", "third", "fourth"]) send(name, true);
  send("page", false);
  for (; at.length < 3 && now < 5_000; now++) {
    clock.mockReturnValue(now);
    noteAccepted();
    await yieldToEventLoop();
  }
  expect(begun).toEqual(["page", "first", "second", "third"]);
  const [first = 0, second = 0, third = 0] = at;
  expect(Math.min(first, second - first, third - second)).toBeGreaterThanOrEqual(20);
  // Nobody connects any more, and the clock stands still.
  await vi.waitUntil(() => begun.length === 5);
});
