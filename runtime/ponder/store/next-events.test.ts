import { expect, test } from "vitest";
import { flushBegins, inTurns } from "./next-events.ts";

async function* counting(name: string, count: number, made: string[]) {
  for (let number = 1; number <= count; number++) {
    made.push(`${name}${number}`);
    yield `${name}${number}`;
  }
}

/** Once what could run by now has run. */
const settled = () => new Promise(setImmediate);

test("what comes next is only made once the store begins to write", async () => {
  const made: string[] = [];
  const events = inTurns([counting("a", 3, made)]);
  expect(await events.next()).toEqual({ done: false, value: "a1" });
  await settled();
  expect(made).toEqual(["a1"]);
  flushBegins();
  await settled();
  expect(made).toEqual(["a1", "a2"]);
  expect(await events.next()).toEqual({ done: false, value: "a2" });
});

test("all that several generators yield comes, each in its order", async () => {
  const all: string[] = [];
  for await (const event of inTurns([counting("a", 3, []), counting("b", 2, []), counting("c", 0, [])])) {
    all.push(event);
    flushBegins();
  }
  expect(all.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
  for (const name of ["a", "b"]) {
    const own = all.filter((event) => event.startsWith(name));
    expect(own).toEqual(own.toSorted());
  }
});

test("a generator that fails while rows are written fails for who asks next", async () => {
  const events = inTurns([
    (async function* () {
      yield "first";
      throw new Error("the database is away");
    })(),
  ]);
  await events.next();
  flushBegins();
  await settled();
  await expect(events.next()).rejects.toThrow("the database is away");
});
