import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { hasPgBouncer, startPgBouncer } from "../../test/service/pgbouncer.ts";
import { assertSessions } from "./pooling.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

test("Postgres itself gives every connection a session of its own", async () => {
  await expect(assertSessions(database.url)).resolves.toBeUndefined();
});

// `.ci/run` installs it where it can.
describe.runIf(hasPgBouncer)("PgBouncer with its own defaults", () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  afterEach(() => pooler.stop());

  test("in session mode is as good as Postgres", async () => {
    pooler = await startPgBouncer(database.url, "session");
    await expect(assertSessions(pooler.url)).resolves.toBeUndefined();
  });

  test("in transaction mode is refused by name", async () => {
    pooler = await startPgBouncer(database.url, "transaction");
    await expect(assertSessions(pooler.url)).rejects.toThrow(/pool_mode = session/);
  });
});
