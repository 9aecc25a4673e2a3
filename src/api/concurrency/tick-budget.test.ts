import { expect, test } from "vitest";
import { countTicks } from "../../../test/service/tick-count.ts";
import { createTickBudget } from "./event-loop.ts";

function holdLoop(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test("the event loop gets to everything else between two callers", async () => {
  const turn = createTickBudget();
  const ticks = countTicks();
  const seen = await Promise.all(Array.from({ length: 5 }, () => turn().then(ticks.now)));
  ticks.stop();
  expect(new Set(seen).size).toBe(5);
});

test("callers within the budget don't wait, and the others run in order in later ticks", async () => {
  const turn = createTickBudget({ budgetMs: 40 });
  const ticks = countTicks();
  const order: number[] = [];
  const seen = await Promise.all(
    Array.from({ length: 6 }, async (_, caller) => {
      await turn();
      order.push(caller);
      holdLoop(25);
      return ticks.now();
    }),
  );
  ticks.stop();
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  // Two of them use up a tick's budget: the second one begins within it.
  expect(new Set(seen).size).toBeGreaterThanOrEqual(3);
  const perTick = seen.map((tick) => seen.filter((other) => other === tick).length);
  expect(Math.max(...perTick)).toBeLessThanOrEqual(2);
});

test("after long work, the event loop is free for as long again", async () => {
  const turn = createTickBudget({ budgetMs: 1 });
  const ticks = countTicks();
  const ends: number[] = [];
  const seen = await Promise.all(
    Array.from({ length: 3 }, async () => {
      await turn();
      const begun = ticks.now();
      holdLoop(25);
      ends.push(performance.now());
      return begun;
    }),
  );
  ticks.stop();
  const pauses = ends.slice(1).map((end, index) => end - (ends[index] ?? 0) - 25);
  expect(Math.min(...pauses)).toBeGreaterThan(20);
  // The pause has many ticks: nothing holds them.
  expect(Math.min(...seen.slice(1).map((tick, index) => tick - (seen[index] ?? 0)))).toBeGreaterThan(3);
});

test("clients take turns", async () => {
  const turn = createTickBudget();
  const order: string[] = [];
  const wait = (client: string) => turn(client).then(() => void order.push(client));
  await Promise.all(["many", "many", "many", "many", "one", "other"].map(wait));
  expect(order).toEqual(["many", "one", "other", "many", "many", "many"]);
});

test("without waiting callers and within the budget, a call does not wait for the event loop", async () => {
  const turn = createTickBudget({ budgetMs: 1_000 });
  const ticks = countTicks();
  const before = ticks.now();
  for (let caller = 0; caller < 10; caller++) await turn();
  expect(ticks.now()).toBe(before);
  ticks.stop();
});
