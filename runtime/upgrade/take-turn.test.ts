import { beforeEach, expect, test } from "vitest";
import { databaseForEachTest } from "../../test/service/database.ts";
import { takeTurn } from "./repair.ts";

const database = databaseForEachTest();
let stopping: AbortController;

beforeEach(() => {
  stopping = new AbortController();
});

const take = (waitMs?: number) => takeTurn({ url: database.url, signal: stopping.signal, waitMs });

/** Resolves once so many connections have, or wait for, a turn. */
const untilConnected = (count: number) =>
  expect
    .poll(
      async () =>
        (
          await database.query(
            "select from pg_stat_activity where application_name = 'turn' and datname = current_database()",
          )
        ).length,
    )
    .toBe(count);

test("one has its turn at a time", async () => {
  const events: string[] = [];
  const end = await take();
  const others = ["second", "third"].map(async (name) => {
    const endTurn = await take();
    events.push(`${name} begins`);
    await new Promise(setImmediate);
    events.push(`${name} ends`);
    await endTurn();
  });
  await untilConnected(3);
  events.push("first ends");
  await end();
  await Promise.all(others);
  const [second] = events[1]?.split(" ") ?? [];
  const third = second === "second" ? "third" : "second";
  expect(events).toEqual([
    "first ends",
    ...[`${second} begins`, `${second} ends`, `${third} begins`, `${third} ends`],
  ]);
});

test("the turn of one that dies ends", async () => {
  await take();
  const next = take();
  await untilConnected(2);
  await database.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
  );
  await (await next)();
});

test("one that never ends its turn isn't waited for any longer than the limit", async () => {
  const end = await take();
  const endOther = await take(1);
  await Promise.all([end(), endOther()]);
});

test("a stop ends the wait", async () => {
  const end = await take();
  const next = take();
  await untilConnected(2);
  stopping.abort(new Error("stopped"));
  await expect(next).rejects.toThrow();
  await untilConnected(1);
  await end();
});
