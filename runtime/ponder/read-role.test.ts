import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { withLogin } from "../../config/database.ts";
import { createDatabase, databaseForEachTest } from "../../test/service/database.ts";
import { prepareDatabase } from "../checks/database.ts";
import { query } from "../process/fixtures/query.ts";
import { prepareReads } from "./read-role.ts";

const database = databaseForEachTest();
let lines: string[];

beforeEach(() => {
  lines = [];
});

/** A URL whose sessions have a setting, as `alter role` makes it. */
const withSetting = (url: string, setting: string) => {
  const changed = new URL(url);
  changed.searchParams.set("options", `-c ${setting}`);
  return changed.href;
};

const prepare = (changes: { url?: string; readUrl?: string; schema?: string } = {}) => {
  const { url, readUrl } = database;
  return prepareReads({ url, readUrl, schema: "onchain", log: (line) => void lines.push(line), ...changes });
};

test("the reader can read existing tables, those that are recreated later, and those in a new schema", async () => {
  await database.query("create schema onchain; create table onchain.token as select 1 as id");
  await prepare();
  expect(await query(database.readUrl, "select id from onchain.token")).toEqual([{ id: 1 }]);
  await query(database.readUrl, "select from offchain.registration");

  await database.query("drop table onchain.token cascade; create table onchain.token as select 2 as id");
  await database.query("create view onchain.listing as select id from onchain.token");
  expect(
    await query(database.readUrl, "select id from onchain.listing join onchain.token using (id)"),
  ).toEqual([{ id: 2 }]);

  await prepare({ schema: "onchain_2" });
  await database.query("create table onchain_2.token as select 3 as id");
  expect(await query(database.readUrl, "select id from onchain_2.token")).toEqual([{ id: 3 }]);
  expect(lines).toEqual([]);
});

test("the reader can't see clients' addresses, nor other schemas", async () => {
  await database.query("create schema other; create table other.secret ()");
  await prepare();
  for (const table of ["offchain.rate_limit", "ponder_sync.logs", "other.secret"]) {
    await expect(query(database.readUrl, `select from ${table}`)).rejects.toMatchObject({ code: "42501" });
  }
});

test("processes that start together don't block each other, and a second run has nothing to do", async () => {
  await database.query("create schema onchain; create table onchain.token ()");
  await Promise.all(Array.from({ length: 5 }, () => prepare()));
  const before = await database.query("select xmin::text, relname from pg_class where relname = 'token'");
  await prepare();
  expect(await database.query("select xmin::text, relname from pg_class where relname = 'token'")).toEqual(
    before,
  );
});

test("without a read role there is nothing to prepare", async () => {
  await prepare({ readUrl: undefined });
  expect(await database.query("select from pg_namespace where nspname = 'onchain'")).toEqual([]);
  expect(lines).toEqual([]);
});

test("warns about a read role that can write, and about a superuser that writes, without their passwords", async () => {
  await prepare({ readUrl: database.url });
  expect(lines).toEqual([
    expect.stringMatching(/^warning: the role launchpad of DATABASE_READ_URL can write: /),
  ]);

  await prepare({ url: database.adminUrl });
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^warning: the role launchpad_admin of DATABASE_URL is a superuser, /),
  ]);
  for (const url of [database.adminUrl, database.url])
    expect(lines.join()).not.toContain(new URL(url).password);
});

test("a read URL that leads elsewhere, or nowhere, stops the start with a line that says so", async () => {
  const other = await createDatabase();
  await expect(prepare({ readUrl: other.readUrl })).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringContaining("DATABASE_READ_URL leads to another database than DATABASE_URL"),
  });
  await other.drop();
  const wrong = Object.assign(new URL(database.readUrl), { password: "wrong-secret" }).href;
  const error = await prepare({ readUrl: wrong }).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({
    name: "StartError",
    message: expect.stringContaining("DATABASE_READ_URL can't be used"),
  });
  expect(String(error)).not.toContain("wrong-secret");
});

test("if a read role lacks grants that the service can't make, the error says which", async () => {
  // Somebody else owns the tables then.
  await query(
    database.adminUrl,
    `alter table offchain.registration owner to launchpad_admin;
     grant select, insert, update, delete on offchain.registration to launchpad`,
  );
  await expect(prepare()).rejects.toMatchObject({
    message: expect.stringMatching(
      /^the role launchpad_api of DATABASE_READ_URL can't read offchain.registration \(permission denied/,
    ),
  });
});

test("roles may have any names", async () => {
  const { url, adminUrl } = database;
  const end = randomBytes(4).toString("hex");
  const [owner, reader] = [`Owner of launch-pad ${end}`, `Reader@launch-pad ${end}`];
  await query(
    adminUrl,
    `create role "${owner}" superuser login password 'owner'; create role "${reader}" login password 'reader'`,
  );
  try {
    const ownerUrl = withLogin(url, { user: owner, password: "owner" });
    const readUrl = withLogin(url, { user: reader, password: "reader" });
    // The second time there is nothing to grant.
    for (let start = 0; start < 2; start++) await prepare({ url: ownerUrl, readUrl });
    await query(ownerUrl, "create table onchain.token as select 1 as id");
    expect(await query(readUrl, "select id from onchain.token")).toEqual([{ id: 1 }]);
  } finally {
    for (const role of [reader, owner]) await query(adminUrl, `drop owned by "${role}"; drop role "${role}"`);
  }
});

test("roles may have different time zones", async () => {
  await prepare({ readUrl: withSetting(database.readUrl, "TimeZone=America/New_York") });
  expect(lines).toEqual([]);
});

test("a start is refused if Postgres writes dates in a style that would be taken for others", async () => {
  const style = "DateStyle=SQL,DMY";
  await expect(prepare({ readUrl: withSetting(database.readUrl, style) })).rejects.toThrow(
    "DateStyle = SQL, DMY for the role of DATABASE_READ_URL, and the service reads dates in the style ISO: alter role launchpad_api set DateStyle = 'ISO';",
  );
  await expect(
    prepareDatabase({ url: withSetting(database.url, style), readUrl: undefined }, "start", { log() {} }),
  ).rejects.toThrow(/the role of DATABASE_URL, .*: alter role launchpad set DateStyle = 'ISO';$/);
});
