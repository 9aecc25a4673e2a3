import { expect, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { connectionsWarning, describeShortage, timeoutsWarning } from "./database.ts";

test("Postgres' defaults are enough for npm start alone", () => {
  const defaults = { max: 100, reserved: 3 };
  expect(describeShortage(defaults, "start")).toBeUndefined();
  expect(describeShortage(defaults, "serve")).toMatch(
    /^warning: Postgres has 97 connections .* \(max_connections = 100, of which 3 are reserved\).*: set max_connections to 200 or more/,
  );
  expect(describeShortage({ max: 200, reserved: 3 }, "serve")).toBeUndefined();
});

test("the limits are those of the server", async () => {
  const database = await createDatabase();
  const [limits] = await database.query(
    "select current_setting('max_connections')::int as max, 0 as reserved",
  );
  const isEnough = describeShortage(limits as { max: number; reserved: number }, "serve") === undefined;
  expect((await connectionsWarning(database.url, "serve")) === undefined).toBe(isEnough);
  await database.drop();
});

test("timeouts of the role are named, with what unsets them", async () => {
  const database = await createDatabase();
  expect(await timeoutsWarning(database.url)).toBeUndefined();
  const url = new URL(database.url);
  url.searchParams.set("options", "-c idle_session_timeout=5s -c statement_timeout=2s");
  const warning = await timeoutsWarning(url.href);
  expect(warning).toContain("idle_session_timeout = 5s, statement_timeout = 2s");
  const [unset = ""] = /alter role .*/.exec(warning ?? "") ?? [];
  await database.query(unset);
  expect(await timeoutsWarning(database.url)).toBeUndefined();
  await database.drop();
});
