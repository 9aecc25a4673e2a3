import { expect, test } from "vitest";
import { mergeOnFlush, signalFlush } from "./write-rows.ts";

async function* counting(name: string, count: number, made: string[]) {
  for (let number = 1; number <= count; number++) {
    made.push(`${name}${number}`);
    yield `${name}${number}`;
  }
}

/** Resolves once everything that can run has run. */
const settled = () => new Promise(setImmediate);

test("the next event is only generated once the store starts writing", async () => {
  const made: string[] = [];
  const events = mergeOnFlush([counting("a", 3, made)]);
  expect(await events.next()).toEqual({ done: false, value: "a1" });
  await settled();
  expect(made).toEqual(["a1"]);
  signalFlush();
  await settled();
  expect(made).toEqual(["a1", "a2"]);
  expect(await events.next()).toEqual({ done: false, value: "a2" });
});

test("all events of several generators arrive, each generator's in order", async () => {
  const all: string[] = [];
  for await (const event of mergeOnFlush([
    counting("a", 3, []),
    counting("b", 2, []),
    counting("c", 0, []),
  ])) {
    all.push(event);
    signalFlush();
  }
  expect(all.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
  for (const name of ["a", "b"]) {
    const own = all.filter((event) => event.startsWith(name));
    expect(own).toEqual(own.toSorted());
  }
});

test("a generator that fails during a flush throws at the next request", async () => {
  const events = mergeOnFlush([
    (async function* () {
      yield "first";
      throw new Error("the database is away");
    })(),
  ]);
  await events.next();
  signalFlush();
  await settled();
  await expect(events.next()).rejects.toThrow("the database is away");
});
