import fc from "fast-check";
import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const taken = (queue: FairQueue<string>) => {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

test("clients take turns, and each client's items keep their order", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.push(item.slice(0, 1), item);
  expect(queue.weight).toBe(6);
  expect(taken(queue)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
});

test("a client that may not be served is skipped, and keeps its turn", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "b1", "b2"]) queue.push(item.slice(0, 1), item);
  expect(queue.shift((client) => client === "b")).toBe("b1");
  expect(queue.shift(() => false)).toBeUndefined();
  expect(taken(queue)).toEqual(["a1", "b2"]);
});

test("the client with the most items makes room, and only for one that would still have fewer", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "b1", "b2", "b3"]) queue.push(item.slice(0, 1), item);
  expect(queue.evictFor("b")).toBeUndefined();
  expect(queue.evictFor("c")).toBe("b3");
  expect(queue.evictFor("a")).toBeUndefined();
  expect(queue.evictFor("c")).toBe("b2");
  expect(queue.evictFor("c")).toBeUndefined();
  expect(taken(queue)).toEqual(["a1", "b1"]);
});

test("with weights, the client with the heaviest items makes room", () => {
  const queue = new FairQueue<{ name: string; bytes: number }>(({ bytes }) => bytes);
  const push = (name: string, bytes: number) => queue.push(name.slice(0, 1), { name, bytes });
  push("a1", 1);
  push("a2", 1);
  push("a3", 1);
  push("b1", 5);
  push("b2", 4);
  expect(queue.weight).toBe(12);
  // No room is made for an item that alone outweighs the items of any client.
  expect(queue.evictFor("c", 9)).toBeUndefined();
  expect(queue.evictFor("c", 2)?.name).toBe("b2");
  expect(queue.evictFor("a", 2)).toBeUndefined();
  expect(queue.evictFor("a", 1)?.name).toBe("b1");
  expect(queue.weight).toBe(3);
});

test("nothing is lost or served twice, whatever comes and goes", () => {
  const client = fc.constantFrom("a", "b", "c");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("push"), client }),
    fc.record({ kind: fc.constant("shift"), client }),
    fc.record({ kind: fc.constant("remove"), client, place: fc.nat(9) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<number>();
      const there = new Map<number, string>();
      let count = 0;
      for (const { kind, client, ...rest } of steps) {
        if (kind === "push") {
          there.set(count, client);
          queue.push(client, count++);
        } else if (kind === "shift") {
          const item = queue.shift();
          expect(item === undefined).toBe(there.size === 0);
          if (item !== undefined) expect(there.delete(item)).toBe(true);
        } else {
          const item = "place" in rest ? rest.place : 0;
          expect(queue.remove(client, item)).toBe(there.get(item) === client);
          if (there.get(item) === client) there.delete(item);
        }
        expect(queue.weight).toBe(there.size);
      }
    }),
  );
});
