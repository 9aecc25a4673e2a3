import { afterEach, describe, expect, test } from "vitest";
import { databaseForEachTest } from "../../test/service/database.ts";
import { hasPgBouncer, startPgBouncer } from "../../test/service/pgbouncer.ts";
import { prepareReads } from "../ponder/read-role.ts";
import { prepareAnalysts } from "../prepare-analysts.ts";
import { assertSessions } from "./sessions.ts";

const database = databaseForEachTest();

test("a direct connection to Postgres passes", async () => {
  await expect(assertSessions(database.url, "DATABASE_URL")).resolves.toBeUndefined();
});

// `.ci/run` installs PgBouncer where it can.
describe.runIf(hasPgBouncer)("PgBouncer with its default settings", () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  afterEach(() => pooler.stop());

  test("is refused in transaction mode for reads too, whose settings and prepared statements it would mix up", async () => {
    pooler = await startPgBouncer(database.readUrl, "transaction");
    const prepare = prepareReads({ url: database.url, readUrl: pooler.url, schema: "onchain", log() {} });
    await expect(prepare).rejects.toThrow(
      /^DATABASE_READ_URL leads to a connection pool in transaction mode/,
    );
  });

  test("lets no client's SQL run in transaction mode", async () => {
    pooler = await startPgBouncer(database.sqlUrl, "transaction");
    const lines: string[] = [];
    const { url, readUrl } = database;
    const log = (line: string) => void lines.push(line);
    const settings = { url, readUrl, sqlUrl: pooler.url, schema: "onchain", isSqlOn: true, log };
    expect(await prepareAnalysts(settings)).toBeUndefined();
    expect(lines).toEqual([expect.stringContaining("is behind a connection pool in transaction mode")]);
  });

  test("passes in session mode", async () => {
    pooler = await startPgBouncer(database.url, "session");
    await expect(assertSessions(pooler.url, "DATABASE_URL")).resolves.toBeUndefined();
  });

  test("is refused in transaction mode, with the setting to change", async () => {
    pooler = await startPgBouncer(database.url, "transaction");
    await expect(assertSessions(pooler.url, "DATABASE_URL")).rejects.toThrow(
      /^DATABASE_URL .*pool_mode = session/,
    );
  });
});
