import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { hasPgBouncer, startPgBouncer } from "../../test/service/pgbouncer.ts";
import { assertSessions } from "./database.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

test("a direct connection to Postgres passes", async () => {
  await expect(assertSessions(database.url)).resolves.toBeUndefined();
});

// `.ci/run` installs PgBouncer where it can.
describe.runIf(hasPgBouncer)("PgBouncer with its default settings", () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  afterEach(() => pooler.stop());

  test("passes in session mode", async () => {
    pooler = await startPgBouncer(database.url, "session");
    await expect(assertSessions(pooler.url)).resolves.toBeUndefined();
  });

  test("is refused in transaction mode, with the setting to change", async () => {
    pooler = await startPgBouncer(database.url, "transaction");
    await expect(assertSessions(pooler.url)).rejects.toThrow(/pool_mode = session/);
  });
});
