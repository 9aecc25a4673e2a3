import path from "node:path";
import { beforeEach, expect, inject, test } from "vitest";
import { migrateOffchain } from "../offchain/migrate.ts";
import { databaseForEachTest } from "../test/service/database.ts";
import { copyPostgresHome } from "../test/service/postgres-home.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { type AnalystOptions, prepareAnalysts } from "./prepare-analysts.ts";
import { query } from "./process/fixtures/query.ts";

const database = databaseForEachTest();
let lines: string[];

beforeEach(() => {
  lines = [];
});

const prepare = (changes: Partial<AnalystOptions> = {}) => {
  const { url, readUrl, sqlUrl } = database;
  const log = (line: string) => void lines.push(line);
  return prepareAnalysts({ url, readUrl, sqlUrl, schema: "onchain", isSqlOn: true, log, ...changes });
};

test("both roles read on-chain tables, views and the public columns of registrations; earlier, wider grants are revoked", async () => {
  await database.query("grant usage on schema offchain to launchpad_reader");
  await database.query("grant select on offchain.registry, offchain.registration to launchpad_reader");
  expect(await prepare()).toBe(database.sqlUrl);
  await database.query(
    "create table onchain.token as select 1 as id; create view launchpad.tokens as select 2 as id",
  );
  for (const url of [database.analystUrl, database.sqlUrl]) {
    expect(
      await query(url, "select id from onchain.token union select id from launchpad.tokens order by 1"),
    ).toEqual([{ id: 1 }, { id: 2 }]);
    await query(url, "select mint, description from offchain.registration");
    for (const hidden of ["registry", "registration", "reader_login", "image"]) {
      await expect(query(url, `select * from offchain.${hidden}`)).rejects.toMatchObject({ code: "42501" });
    }
  }
  expect(lines).toEqual([]);
});

test("a schema launchpad that another program uses stays closed to both roles", async () => {
  await database.query("create schema launchpad; create table launchpad.salary as select 1 as id");
  expect(await prepare()).toBe(database.sqlUrl);
  await database.query("create table launchpad.bonus as select 1 as id");
  for (const url of [database.analystUrl, database.sqlUrl]) {
    for (const table of ["salary", "bonus"])
      await expect(query(url, `select * from launchpad.${table}`)).rejects.toMatchObject({ code: "42501" });
  }
});

/** A connection string with its login in parameters, as for a Unix socket. */
function withParameters(text: string): string {
  const { username, password, host, pathname } = new URL(text);
  return `postgres://${host}${pathname}?user=${username}&password=${password}`;
}

test("the login of DATABASE_SQL_URL may be in parameters", async () => {
  const sqlUrl = withParameters(database.sqlUrl);
  expect(await prepare({ sqlUrl })).toBe(sqlUrl);
  expect(lines).toEqual([]);
});

test("processes that start together don't conflict", async () => {
  await database.query("create schema onchain; create table onchain.token ()");
  const urls = await Promise.all(Array.from({ length: 5 }, () => prepare()));
  expect(urls).toEqual(Array(5).fill(database.sqlUrl));
  expect(lines).toEqual([]);
});

test.each([
  [
    "has no password here",
    { sqlUrl: undefined },
    /password of launchpad_sql is not known here: set DATABASE_SQL_URL/,
  ],
  [
    "the service also reads with",
    { readUrl: "sql" },
    /the service itself reads as launchpad_sql: give DATABASE_READ_URL a role/,
  ],
  ["can write", { sqlUrl: "owner" }, /the role launchpad owns the tables/],
  ["has another password", { sqlUrl: "wrong" }, /the role launchpad_sql can't log in/],
  [
    "does not exist",
    { sqlUrl: "nobody" },
    /there is no role nobody for clients' SQL.*create role "nobody" login password '\.\.\.'/,
  ],
])("a role that %s leaves /sql off, with a line that says what to do", async (_, given, line) => {
  const at = (username: string, password = "wrong-secret") =>
    Object.assign(new URL(database.url), { username, password }).href;
  const urls: Record<string, string> = {
    sql: database.sqlUrl,
    owner: database.url,
    wrong: at("launchpad_sql"),
    nobody: at("nobody"),
  };
  const changes = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value && urls[value]]),
  );
  expect(await prepare(changes)).toBeUndefined();
  expect(lines).toEqual([expect.stringMatching(line)]);
  expect(lines.join()).not.toContain("wrong-secret");
  expect(await prepare({ ...changes, isSqlOn: false })).toBeUndefined();
});

test("an owner that may create roles creates the one for /sql, again on another server; one that may not uses the role for people", async () => {
  const place = await temporaryFolder();
  const dataDir = path.join(place.folder, "postgres");
  await copyPostgresHome(dataDir);
  const postgres = await startPostgres({ dataDir, durable: false });
  try {
    const { url, readUrl, adminUrl } = postgres;
    const database = adminUrl.replace(/[^/]*$/, "launchpad");
    const dropRole = () => query(database, "drop owned by launchpad_sql; drop role launchpad_sql");
    const own = () => prepare({ url, readUrl, sqlUrl: undefined });
    await migrateOffchain(url);
    await dropRole();
    expect(await own()).toBeUndefined();
    expect(lines.splice(0)).toEqual([
      expect.stringMatching(/there is no role launchpad_sql for clients' SQL.*create role "launchpad_sql"/),
    ]);
    // As migrations of earlier versions stored it.
    const { password } = new URL(postgres.analystUrl);
    await query(url, `insert into offchain.reader_login values ('launchpad_reader', '${password}')`);
    expect(await own()).toBe(postgres.analystUrl);

    await query(database, "alter role launchpad createrole");
    const created = await Promise.all([own(), own(), own()]);
    expect(new Set(created).size).toBe(1);
    expect(created[0]).toMatch(/^postgres:\/\/launchpad_sql:[0-9a-f]{64}@/);
    const given = { url: withParameters(url), readUrl: withParameters(readUrl), sqlUrl: undefined };
    expect(await prepare(given)).toBe(created[0]);
    await dropRole();
    expect(await own()).toBe(created[0]);
    expect(lines).toEqual([]);
  } finally {
    await postgres.stop();
    await place.remove();
  }
});

test("a migration creates the role once, with a password, if it may create roles; otherwise it continues without it", async () => {
  const name = `owner_${database.url.slice(-6)}`;
  const admin = inject("postgresAdminUrl");
  // Role names are global to the server, so the test uses one of its own.
  const migration = (await import("node:fs")).readFileSync("offchain/migrations/0008_reader.sql", "utf8");
  const block = migration.slice(migration.indexOf("DO $$")).replaceAll("launchpad_reader", `${name}_reader`);
  const own = Object.assign(new URL(database.url), { username: name, password: "own" }).href;
  await query(admin, `create role ${name} login password 'own'`);
  try {
    await database.query(
      `grant usage on schema offchain to ${name}; grant all on offchain.reader_login to ${name}`,
    );
    // The embedded server keeps it from all but the owner of the service.
    await query(database.adminUrl, `grant usage on language plpgsql to ${name}`);
    await query(own, block);
    expect(await database.query("select from offchain.reader_login")).toEqual([]);

    await query(admin, `alter role ${name} createrole`);
    await Promise.all([query(own, block), query(own, block), query(own, block)]);
    const [login] = await database.query<{ role: string; password: string }>(
      "select * from offchain.reader_login",
    );
    expect(login).toEqual({ role: `${name}_reader`, password: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await query(
      database.adminUrl,
      `grant connect on database ${new URL(database.url).pathname.slice(1)} to ${name}_reader`,
    );
    const made = Object.assign(new URL(database.url), {
      username: `${name}_reader`,
      password: login?.password,
    }).href;
    expect(
      await query(
        made,
        "select current_setting('statement_timeout') as time, current_setting('work_mem') as memory",
      ),
    ).toEqual([{ time: "1min", memory: "16MB" }]);
  } finally {
    await query(database.adminUrl, `drop owned by ${name}_reader; drop role ${name}_reader`).catch(() => {});
    await query(database.adminUrl, `drop owned by ${name}; drop role ${name}`);
  }
});

test("migrations can run again", async () => {
  await migrateOffchain(database.url);
  expect(await prepare()).toBe(database.sqlUrl);
});

test("a login of earlier versions for /sql, with the role for people, keeps working", async () => {
  expect(await prepare({ sqlUrl: database.analystUrl })).toBe(database.analystUrl);
  expect(lines).toEqual([]);
});
