import { expect, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { connectionsWarning, describeShortage } from "./database.ts";

test("Postgres' defaults are enough for npm start alone", () => {
  const defaults = { max: 100, reserved: 3 };
  expect(describeShortage(defaults, "start")).toBeUndefined();
  expect(describeShortage(defaults, "serve")).toMatch(
    /^warning: Postgres has 97 connections .* \(max_connections = 100, of which 3 are reserved\).*: set max_connections to 150 or more/,
  );
  expect(describeShortage({ max: 150, reserved: 3 }, "serve")).toBeUndefined();
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
