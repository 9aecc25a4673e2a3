import { expect, inject, test } from "vitest";
import { onConnection } from "../../../offchain/connection.ts";
import { query } from "../../../runtime/process/fixtures/query.ts";
import { until } from "../../service/condition.ts";
import type { AttackedService } from "../served.ts";

/** Functions that write, lock, signal or undo limits, and that a reading role could call by default. */
const calls = [
  "lo_create(0)",
  "lo_from_bytea(0, 'x')",
  "pg_advisory_lock(5609700001)",
  "pg_advisory_lock_shared(5609700001)",
  "pg_advisory_xact_lock(560097, hashtext('onchain'))",
  "pg_try_advisory_lock(5609702, hashtext('onchain'))",
  "pg_try_advisory_xact_lock(1)",
  "pg_notify('offchain_stream', '')",
  "set_config('statement_timeout', '0', false)",
  "pg_logical_emit_message(false, 'mine', repeat('x', 1000000))",
  "pg_logical_emit_message(false, 'mine', 'x'::bytea)",
  "pg_current_xact_id()",
  "txid_current()",
  "pg_terminate_backend(1)",
  "pg_cancel_backend(1)",
];

const writes = [
  ...calls.map((call) => `select ${call}`),
  "do $$ begin for i in 1..1000 loop raise log 'filling the log'; end loop; end $$",
  "create temporary table mine (id int)",
  "create schema mine",
  "create function public.mine() returns int language sql as 'select 1'",
  "alter database launchpad set statement_timeout = 1",
  "set log_min_messages = debug5",
  "set log_statement = 'all'",
  "set temp_file_limit = -1",
];

const locks = [
  "lock table onchain.trade in share mode",
  "lock table onchain.trade in access exclusive mode",
  "select from onchain.token for update",
];

/** What people can't do to roles; their own password and settings they can change. */
const roleChanges = [
  "alter role launchpad_sql password 'mine'",
  "alter role launchpad_sql set statement_timeout = 0",
  "alter role launchpad_api set statement_timeout = 1",
  "alter role launchpad_reader connection limit -1",
  "alter role launchpad_reader set temp_file_limit = -1",
  "alter role launchpad_reader rename to mine",
  "grant launchpad to launchpad_reader",
  "set role launchpad_sql",
];

/** What people with the reader's login, the API's reads and clients' SQL could do in the embedded database, if it let them. */
export function testPeople(served: () => AttackedService): void {
  const urls = () => {
    const { readUrl, sqlUrl, analystUrl } = served().service.database;
    return Object.entries({ people: analystUrl, "clients' SQL": sqlUrl, reads: readUrl });
  };

  async function expectRefused(name: string, url: string, texts: string[]): Promise<void> {
    await onConnection(url, async (client) => {
      for (const text of texts) {
        const code = await client
          .query(`set default_transaction_read_only = off; set transaction read write; ${text}; rollback`)
          .then(
            () => "allowed",
            (error: { code?: string }) => error.code,
          );
        // Renaming oneself is a feature that Postgres lacks.
        expect([name, text, code]).toEqual([name, text, expect.stringMatching(/^(42501|0A000)$/)]);
      }
    });
  }

  test("no reading role can store anything, lock, signal, or change other roles", async () => {
    // The tests' own databases have the default privileges for temporary tables, the service's has not.
    const own = (url: string) => url.replace(/[^/]*$/, "launchpad");
    for (const [name, url] of urls()) {
      await expectRefused(name, own(url), writes);
      await expectRefused(name, url, locks);
    }
    await expectRefused("people", served().service.database.analystUrl, roleChanges);
  });

  test("no reading role sees what the sessions of others run, passwords, or settings that only a superuser may see", async () => {
    const { service, mint } = served();
    const seen: Record<string, unknown> = {};
    for (const [name, url] of urls()) {
      [seen[name]] = await query(
        url,
        `select (select count(*)::int from pg_stat_activity
             where usename <> current_user and query not in ('', '<insufficient privilege>')) as statements,
           (select count(*)::int from pg_settings where name in ('config_file', 'hba_file', 'data_directory')) as files,
           (select count(*)::int from pg_user where passwd <> '********') as passwords,
           (select count(*)::int from pg_db_role_setting where setconfig::text ~* 'password|secret') as settings,
           has_table_privilege('pg_authid', 'select') as hashes`,
      );
    }
    const nothing = { statements: 0, files: 0, passwords: 0, settings: 0, hashes: false };
    expect(seen).toEqual({ people: nothing, "clients' SQL": nothing, reads: nothing });
    // The same query finds statements where they may be seen, if the API has not closed its idle connections since.
    await until("a statement of the API", async () => {
      await fetch(`${service.indexer.url}/api/token/${mint}`);
      const [{ count } = { count: 0 }] = await query<{ count: number }>(
        service.database.adminUrl,
        "select count(*)::int from pg_stat_activity where usename = 'launchpad_api' and query <> ''",
      );
      return count > 0;
    });
  });

  test("people's connections are counted apart from the service's, and the service may end them", async () => {
    const limits = await query(
      inject("postgresAdminUrl"),
      `select rolname, rolconnlimit > 0 as limited, pg_has_role('launchpad', oid, 'usage') as can_be_ended
       from pg_roles where rolname in ('launchpad_api', 'launchpad_reader', 'launchpad_sql') order by 1`,
    );
    expect(limits).toEqual([
      { rolname: "launchpad_api", limited: true, can_be_ended: false },
      { rolname: "launchpad_reader", limited: true, can_be_ended: true },
      { rolname: "launchpad_sql", limited: true, can_be_ended: false },
    ]);
  });

  test("forged notifications, whatever they contain, change nothing", async () => {
    const { service, mint } = served();
    const journal = () => service.database.query("select count(*)::int as events from offchain.stream_event");
    const before = await journal();
    const payloads = ["", "{", "null", "[]", "x".repeat(7_999)];
    const forged = ["offchain_stream", "onchain_live_query"].flatMap((channel) =>
      payloads.map((payload) => `notify ${channel}, '${payload}'`),
    );
    await query(service.database.analystUrl, forged.join(";"));
    await until(
      "the API to answer",
      async () => (await fetch(`${service.indexer.url}/api/token/${mint}`)).ok,
    );
    expect((await fetch(`${service.indexer.url}/ready`)).status).toBe(200);
    expect(await journal()).toEqual(before);
    expect(service.indexer.output()).not.toMatch(/unhandled|uncaught/i);
  });
}
