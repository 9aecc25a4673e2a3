import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrateOffchain } from "../../offchain/migrate.ts";
import { onlyInLongRun } from "../../test/run/long-run.ts";
import { until } from "../../test/service/condition.ts";
import { makeFirstVersionCluster } from "../../test/service/first-version-cluster.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { query } from "../process/fixtures/query.ts";
import { startPostgres } from "./start-postgres.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;

beforeEach(async () => {
  place = await temporaryFolder();
  dataDir = path.join(place.folder, "postgres");
});

afterEach(() => place.remove());

const registered = "select mint, id from offchain.registration order by id";
const rows = [
  { mint: "0xaa", id: 1 },
  { mint: "0xbb", id: 2 },
];
const sleeper = `
  create function public.sleeper() returns event_trigger language plpgsql as
    $$ begin raise log 'in the middle of it'; perform pg_sleep(600); end $$;
  create event trigger sleeper on ddl_command_end when tag in ('ALTER VIEW') execute function public.sleeper()`;

/** A cluster of the first version in use, with every kind of object that we, Ponder and users create. */
async function makeUsedCluster(more = "") {
  const cluster = await makeFirstVersionCluster(dataDir);
  await cluster.serve(async (url) => {
    await query(
      url,
      `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent)
         values (56, '0xaa', 'A', 'A', '0xcc', 50), (56, '0xbb', 'B', 'B', '0xcc', 50);
       create schema onchain;
       create type onchain.venue as enum ('curve', 'dex');
       create sequence onchain.operation_id as integer;
       create table onchain.trade (chain_id int, id serial, venue onchain.venue) partition by list (chain_id);
       create table onchain.trade_56 partition of onchain.trade for values in (56);
       create view onchain.listing as select mint from offchain.registration;
       create function onchain.note() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger note after insert on onchain.trade for each row execute function onchain.note();
       create schema "Mine'; --";
       create materialized view "Mine'; --"."of ""mine""" as select 1 as one;
       create statistics onchain.guess on id, venue from onchain.trade_56;
       select lo_from_bytea(0, 'x')`,
    );
    await query(url, "create database other");
    await query(url.replace(/[^/]*$/, "other"), "create table kept as select 42 as answer");
    await query(url, more);
  });
  return cluster;
}

async function expectUpgraded(password: string): Promise<void> {
  const postgres = await startPostgres({ dataDir, durable: false });
  try {
    expect(postgres.url).toBe(
      `postgres://launchpad:${encodeURIComponent(password)}@127.0.0.1:${postgres.port}/launchpad`,
    );
    expect(await query(postgres.url, registered)).toEqual(rows);
    expect(
      await query(
        postgres.adminUrl,
        "select rolname, rolsuper from pg_roles where rolname !~ '^pg_' order by 1",
      ),
    ).toEqual([
      { rolname: "launchpad", rolsuper: false },
      { rolname: "launchpad_admin", rolsuper: true },
      { rolname: "launchpad_api", rolsuper: false },
      { rolname: "launchpad_reader", rolsuper: false },
      { rolname: "launchpad_sql", rolsuper: false },
    ]);
    // The superuser owns nothing of the service's or the user's any more.
    expect(
      await query(
        postgres.adminUrl,
        `select relname as name from pg_class where relowner = 10 and oid >= 16384
           and relnamespace <> 'pg_toast'::regnamespace
         union all select nspname from pg_namespace where nspowner = 10 and oid >= 16384
         union all select proname from pg_proc where proowner = 10 and oid >= 16384
         union all select typname from pg_type where typowner = 10 and oid >= 16384
         union all select datname from pg_database where datdba = 10 and oid >= 16384
         union all select stxname from pg_statistic_ext where stxowner = 10`,
      ),
    ).toEqual([]);
    // The service and the user can still use their objects.
    await migrateOffchain(postgres.url);
    await query(
      postgres.url,
      `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent)
         values (56, '0xdd', 'D', 'D', '0xcc', 50);
       delete from offchain.registration where mint = '0xdd';
       insert into onchain.trade (chain_id, venue) values (56, 'dex');
       refresh materialized view "Mine'; --"."of ""mine""";
       drop schema onchain cascade`,
    );
    expect(await query(postgres.url.replace(/[^/]*$/, "other"), "table kept")).toEqual([{ answer: 42 }]);
    await query(postgres.url.replace(/[^/]*$/, "other"), "drop table kept");
  } finally {
    await postgres.stop();
  }
}

test("a cluster of the first version keeps its registrations and its connection string, whose role is no longer a superuser", async () => {
  const { password } = await makeUsedCluster();
  await expectUpgraded(password);
  const log = await readFile(path.join(dataDir, "postgres.log"), "utf8");
  expect(log).not.toContain("ERROR");
  for (const file of ["password", "api-password", "reader-password", "sql-password", "admin-password"]) {
    expect(log).not.toContain(await readFile(path.join(dataDir, file), "utf8"));
  }
});

onlyInLongRun(() => {
  test("kill -9 of Postgres during the upgrade leaves the cluster unchanged, and the next start upgrades it", async () => {
    const { password, serve } = await makeUsedCluster(sleeper);

    const starting = startPostgres({ dataDir, durable: false }).catch((error: Error) => error);
    const log = () => readFile(path.join(dataDir, "postgres.log"), "utf8");
    await until("the middle of the upgrade", async () => (await log()).includes("in the middle of it"));
    const pidFile = await readFile(path.join(dataDir, "cluster", "postmaster.pid"), "utf8");
    process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
    expect(await starting).toMatchObject({ name: "StartError" });

    // The first version can still use it, as the superuser.
    await serve(async (url) => {
      expect(await query(url, registered)).toEqual(rows);
      await query(url, "drop event trigger sleeper; drop function public.sleeper");
    });
    await expectUpgraded(password);
  });
});
