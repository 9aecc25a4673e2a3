import { expect, test } from "vitest";
import { onConnection } from "../../offchain/connection.ts";
import { createDatabase, openDatabase } from "../../test/service/database.ts";
import {
  connectionsWarning,
  describeShortage,
  encodingWarning,
  limitsWarning,
  temporaryTablesWarning,
  timeoutsWarning,
} from "./database.ts";

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
  expect(
    (await onConnection(database.url, (client) => connectionsWarning(client, "serve"))) === undefined,
  ).toBe(isEnough);
  await database.drop();
});

test("limits of the roles and of the database are named, with what raises them", async () => {
  const database = await createDatabase();
  const admin = openDatabase(database.adminUrl);
  const name = new URL(database.url).pathname.slice(1);
  const roles = { writer: `writer_${name}`, reader: `reader_${name}` };
  for (const role of Object.values(roles))
    await admin.query(`create role ${role} login password 'secret' connection limit 60`);
  const login = (username: string) =>
    Object.assign(new URL(database.url), { username, password: "secret" }).href;
  const warn = (url: string, command: "start" | "serve", readUrl?: string) =>
    onConnection(url, (client) => limitsWarning(client, { command, readUrl }));

  // Without a role for reads, those need as many more.
  expect(await warn(login(roles.writer), "start", login(roles.reader))).toBeUndefined();
  expect(await warn(login(roles.writer), "start", login(roles.writer))).toContain(
    `60 for the role ${roles.writer}, where the service may need 76`,
  );
  await admin.query(`alter database ${name} connection limit 70`);
  const warning = await warn(login(roles.writer), "serve", login(roles.reader));
  expect(warning).toContain(
    `60 for the role ${roles.reader}, where the service may need 73, and to 70 for the database ${name}`,
  );
  expect(await warn(database.adminUrl, "serve")).toBeUndefined();
  for (const change of warning?.match(/alter .*?;/g) ?? []) await admin.query(change);
  expect(await warn(login(roles.writer), "serve", login(roles.reader))).toBeUndefined();

  for (const role of Object.values(roles)) await admin.query(`drop role ${role}`);
  await admin.close();
  await database.drop();
});

test("timeouts of the role are named, with what unsets them", async () => {
  const database = await createDatabase();
  expect(await onConnection(database.url, timeoutsWarning)).toBeUndefined();
  const url = new URL(database.url);
  url.searchParams.set("options", "-c idle_session_timeout=5s -c statement_timeout=2s");
  const warning = await onConnection(url.href, timeoutsWarning);
  expect(warning).toContain("idle_session_timeout = 5s, statement_timeout = 2s");
  const [unset = ""] = /alter role .*/.exec(warning ?? "") ?? [];
  await database.query(unset);
  expect(await onConnection(database.url, timeoutsWarning)).toBeUndefined();
  await database.drop();
});

test("a role that may not create temporary tables is told of, with what allows them", async () => {
  const database = await createDatabase();
  expect(await onConnection(database.readUrl, temporaryTablesWarning)).toBeUndefined();
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`revoke temporary on database ${name} from public`);
  const warning = await onConnection(database.readUrl, temporaryTablesWarning);
  const [change = ""] = /grant temporary .*/.exec(warning ?? "") ?? [];
  await database.query(change);
  expect(await onConnection(database.readUrl, temporaryTablesWarning)).toBeUndefined();
  await database.drop();
});

test("a database without some letters is refused, and one without any is told of", async () => {
  const database = await createDatabase();
  const admin = openDatabase(database.adminUrl);
  expect(await onConnection(database.url, encodingWarning)).toBeUndefined();
  const inEncoding = async (encoding: string) => {
    const name = `${new URL(database.url).pathname.slice(1)}_${encoding.toLowerCase()}`;
    await admin.query(
      `create database ${name} encoding '${encoding}' template template0 locale_provider libc locale 'C'`,
    );
    const url = Object.assign(new URL(database.adminUrl), { pathname: `/${name}` }).href;
    const warning = await onConnection(url, encodingWarning).catch(String);
    await admin.query(`drop database ${name} with (force)`);
    return warning;
  };
  expect(await inEncoding("LATIN1")).toMatch(/^StartError: .* has the encoding LATIN1, which lacks letters/);
  expect(await inEncoding("SQL_ASCII")).toMatch(/^warning: .* has the encoding SQL_ASCII, .*encoding 'UTF8'/);
  await admin.close();
  await database.drop();
});
