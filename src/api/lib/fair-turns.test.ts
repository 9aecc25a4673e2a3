import { expect, test } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

/** Turns that note who starts, and end one when told to. */
function noted(limits: { running: number; waiting: number }) {
  const turns = createFairTurns({ ...limits, refuse: () => new Error("busy") });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    ask: (key: string, name = key) =>
      turns(key, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      }),
    async endOne(): Promise<void> {
      const count = started.length;
      ends.shift()?.();
      await expect.poll(() => started.length).toBe(count + 1);
    },
    endAll: () => {
      for (const end of ends.splice(0)) end();
    },
  };
}

test("whoever comes after a crowd of one is next, and the crowd goes on after that", async () => {
  const { ask, started, endOne, endAll } = noted({ running: 2, waiting: 100 });
  const crowd = Array.from({ length: 6 }, (_, index) => ask("crowd", `crowd ${index}`));
  const others = [ask("one"), ask("other")];
  expect(started).toEqual(["crowd 0", "crowd 1"]);
  for (let count = 0; count < 6; count++) await endOne();
  expect(started.slice(2)).toEqual(["crowd 2", "one", "other", "crowd 3", "crowd 4", "crowd 5"]);
  endAll();
  expect(await Promise.all([...crowd, ...others])).toHaveLength(8);
});

test("where too much waits, whoever has most waiting loses their last, and not who comes", async () => {
  const { ask, started, endOne, endAll } = noted({ running: 1, waiting: 3 });
  const crowd = Array.from({ length: 4 }, (_, index) => ask("crowd", `crowd ${index}`));
  const last = expect(crowd[3]).rejects.toThrow("busy");
  const one = ask("one");
  await last;
  await expect(ask("crowd", "one too many")).rejects.toThrow("busy");
  for (let count = 0; count < 3; count++) await endOne();
  expect(started).toEqual(["crowd 0", "crowd 1", "one", "crowd 2"]);
  endAll();
  expect(await one).toBe("one");
});

test("work that fails passes its place on", async () => {
  const turns = createFairTurns({ running: 1, waiting: 5, refuse: () => new Error("busy") });
  const failing = () => turns("a", () => Promise.reject(new Error("failed")));
  await Promise.all([1, 2, 3].map(() => expect(failing()).rejects.toThrow("failed")));
  expect(await turns("b", async () => "done")).toBe("done");
  expect(await turns("b", async () => "again")).toBe("again");
});
