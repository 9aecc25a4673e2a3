import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { rowsVersion, rowsWarning } from "./rows-version.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());

test("only a schema that another version filled is warned of", async () => {
  const warning = () => rowsWarning(database.url, "onchain");
  expect(await warning()).toBeUndefined();
  await database.query("create schema onchain; create table onchain._ponder_meta (key text, value jsonb)");
  expect(await warning()).toBeUndefined();
  const filledBy = (value: object) =>
    database
      .query("delete from onchain._ponder_meta")
      .then(() =>
        database.query("insert into onchain._ponder_meta values ('app', $1)", [JSON.stringify(value)]),
      );
  await filledBy({ rows_version: rowsVersion });
  expect(await warning()).toBeUndefined();
  for (const value of [{ rows_version: rowsVersion + 1 }, { build_id: "from before there were versions" }]) {
    await filledBy(value);
    expect(await warning()).toContain("npm run verify compares it with the chain");
  }
});
