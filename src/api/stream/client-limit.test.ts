import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createStreamClient } from "./broadcaster.ts";
import { createClientLimit } from "./stream-service.ts";

function createRoom(most: number) {
  const places = createClientLimit(most);
  return {
    places,
    /** Returns the client, or undefined if there is no place for it. */
    enter(address: string) {
      if (!places.makeRoom(address)) return undefined;
      const client = createStreamClient(1_000, new PassThrough());
      places.add(address, client);
      return client;
    },
  };
}

test("below the limit, every client gets a place, and frees it when closed", () => {
  const { places, enter } = createRoom(2);
  const first = enter("192.0.2.1");
  enter("192.0.2.1");
  expect([places.count("192.0.2.1"), places.count("192.0.2.2")]).toEqual([2, 0]);
  first?.close();
  expect(places.count("192.0.2.1")).toBe(1);
  expect(enter("192.0.2.2")).toBeDefined();
});

test("at the limit, the address with the most clients loses its oldest to one with fewer", () => {
  const { places, enter } = createRoom(10);
  const greedy = Array.from({ length: 10 }, () => enter("192.0.2.1"));
  const newcomers = ["192.0.2.2", "192.0.2.3", "192.0.2.2"].map(enter);
  expect(newcomers.every((client) => client?.closed.aborted === false)).toBe(true);
  expect(greedy.map((client) => client?.closed.aborted)).toEqual([
    ...[true, true, true],
    ...new Array(7).fill(false),
  ]);
  expect(places.count("192.0.2.1")).toBe(7);
  expect(enter("192.0.2.1")).toBeUndefined();
});

test("addresses with equally many clients don't take places from each other", () => {
  const { enter } = createRoom(4);
  for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"]) enter(address);
  expect(enter("192.0.2.1")).toBeUndefined();
  expect(enter("192.0.2.3")).toBeDefined();
  // Now one has 1, one has 2 and one has 1.
  expect(enter("192.0.2.3")).toBeUndefined();
});
