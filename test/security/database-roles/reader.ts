import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { within } from "../../../config/async.ts";
import { query } from "../../../runtime/process/fixtures/query.ts";
import type { Indexer } from "../../service/indexer.ts";
import { createRestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { AttackedService } from "../served.ts";
import { expectReads } from "./expect-reads.ts";

/** Whatever gets through a read, the database doesn't let it write, access files, run programs or see passwords. */
export function testDatabaseRoles(served: () => AttackedService): void {
  let service: Service;
  let replica: Indexer;

  beforeAll(async () => {
    ({ service } = served());
    await watchSessions(async () => {
      replica = await service.startReplica({
        env: { RATE_LIMIT: "on", RATE_LIMIT_STORE: "postgres" },
        port: undefined,
      });
    });
  });

  afterAll(async () => {
    await replica?.stop();
  });

  const seen = new Map<string, Awaited<ReturnType<typeof sessions>>[number]>();
  /** Remembers the sessions that there are meanwhile: those that aren't used are closed after ten seconds. */
  async function watchSessions(work: () => Promise<void>): Promise<void> {
    const working = work().then(() => true);
    for (let isDone = false; !isDone; ) {
      isDone = await within(200, working, () => false);
      for (const session of await sessions()) seen.set(`${session.role} ${session.name}`, session);
    }
  }

  const sessions = () =>
    query<{ name: string; role: string; superuser: boolean }>(
      service.database.adminUrl,
      `select distinct application_name as name, usename as role, usesuper as superuser
     from pg_stat_activity join pg_user using (usename)
     where datname = current_database() and pid <> pg_backend_pid()`,
    );

  test("a service and a replica read with a role that can't write, write with one that is not a superuser, and count requests in Postgres", async () => {
    await watchSessions(async () => {
      await expectReads(service.indexer, served().mint);
      await expectReads(replica, served().mint);
    });
    const found = [...seen.values()];
    expect(found.filter(({ superuser }) => superuser)).toEqual([]);
    const names = (role: string) =>
      found
        .filter((session) => session.role === role)
        .map(({ name }) => name)
        .sort();
    expect(names("launchpad_api")).toEqual(["onchain_list", "onchain_readonly", "onchain_rest"]);
    // Clients' SQL runs with a third role, whose sessions are used for nothing else.
    const rest = await createRestClient(replica.url);
    const { status, headers, body } = await rest.sql("select current_user, count(*) from onchain.token");
    expect([status, headers.get("ratelimit-policy"), body.rows]).toEqual([
      200,
      '"reads";q=600;w=60',
      [["launchpad_sql", "1"]],
    ]);
    expect(names("launchpad")).toEqual(expect.arrayContaining(["onchain_internal", "onchain_control"]));
    expect(await service.database.query("select from offchain.rate_limit")).not.toEqual([]);
  });

  test.each([
    [
      "insert",
      "insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent) values (56, '0x', '', '', '', 50)",
    ],
    ["update", "update offchain.registration set name = 'mine'"],
    ["delete", "delete from onchain.token"],
    ["truncate", "truncate onchain.token"],
    ["drop a table", "drop table onchain.token"],
    ["create a table", "create table onchain.mine ()"],
    ["create a table in public", "create table public.mine ()"],
    ["create a function", "create function public.mine() returns int language sql as 'select 1'"],
    ["create a schema", "create schema mine"],
    ["create a role", "create role mine superuser"],
    ["create an extension", "create extension dblink"],
    ["become another role", "set role launchpad"],
    ["become the superuser", "set session authorization launchpad_admin"],
    ["lift the limit of temporary files", "set temp_file_limit = -1"],
    ["read a file", "select pg_read_file('/etc/passwd')"],
    ["list a folder", "select pg_ls_dir('/')"],
    ["import a file", "select lo_import('/etc/passwd')"],
    ["copy from a file", "copy onchain.token from '/etc/passwd'"],
    ["copy to a file", "copy (select 1) to '/tmp/launchpad-mine'"],
    ["run a program", "copy (select 1) to program 'id'"],
    ["see passwords", "select rolpassword from pg_authid"],
    ["see passwords in the view", "select passwd from pg_shadow"],
    ["see addresses of clients", "select key from offchain.rate_limit"],
  ])("the reader can't %s, even without its read-only default", async (_, attack) => {
    const text = `set default_transaction_read_only = off; set transaction read write; ${attack}`;
    const before = await service.database.query("select * from offchain.registration");
    await expect(query(service.database.readUrl, text)).rejects.toMatchObject({
      message: expect.stringMatching(/permission denied|must be owner|must be superuser/),
    });
    expect(await service.database.query("select * from offchain.registration")).toEqual(before);
  });

  async function askGraphql(text: string): Promise<{ errors?: unknown }> {
    const response = await fetch(`${service.indexer.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: text }),
    });
    return (await response.json()) as { errors?: unknown };
  }

  test.each([
    'id"; drop table onchain.token; --',
    'address" desc, (select pg_sleep(5))',
    "address asc",
    "_reorg__token",
  ])("GraphQL refuses a column that the table does not have: %s", async (name) => {
    const byName = `{ tokens(orderBy: ${JSON.stringify(name)}) { items { address } } }`;
    expect(JSON.stringify((await askGraphql(byName)).errors)).toContain("must be one of its columns");
    const where = `query ($where: tokenFilter) { tokens(where: $where) { items { address } } }`;
    const response = await fetch(`${service.indexer.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: where, variables: { where: { [name]: "1" } } }),
    });
    expect(await response.json()).toHaveProperty("errors");
    await expectReads(service.indexer, served().mint);
  });

  // Ponder finds these in its map of columns, because every object has them. They must not become SQL.
  test.each(["constructor", "__proto__", "toString"])(
    "a property of every object is not a column: %s",
    async (name) => {
      await askGraphql(`{ tokens(orderBy: "${name}") { items { address } } }`);
      const asked = await query<{ query: string }>(
        service.database.adminUrl,
        "select query from pg_stat_activity where application_name = 'onchain_readonly' and datname = current_database()",
      );
      expect(asked.map((session) => session.query).join()).not.toMatch(/function|native code|\[object/);
      await expectReads(service.indexer, served().mint);
    },
  );

  test("in the embedded database the reader can't write large objects, take locks or send notifications", async () => {
    const reader = inject("postgresReadUrl");
    for (const call of [
      "lo_create(0)",
      "lo_from_bytea(0, 'x')",
      "pg_advisory_lock(1)",
      "pg_try_advisory_xact_lock(1)",
      "pg_notify('offchain_stream', '')",
      "set_config('statement_timeout', '0', false)",
    ]) {
      await expect(
        query(reader, `set default_transaction_read_only = off; select ${call}`),
      ).rejects.toMatchObject({
        code: "42501",
      });
    }
    await expect(query(reader, "create temporary table mine ()")).rejects.toThrow(
      /permission denied|read-only/,
    );
    expect(await query(reader, "select current_setting('temp_file_limit') as files")).toEqual([
      { files: "1GB" },
    ]);
  });
}
