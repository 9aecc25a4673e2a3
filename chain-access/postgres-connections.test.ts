import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createDatabase,
  type OpenDatabase,
  openDatabase,
  type TestDatabase,
} from "../test/service/database.ts";
import { waitForConnections } from "./postgres-connections.ts";

const role = `crowded_${process.pid}`;
const lines: string[] = [];
const { connect } = pg.Pool.prototype;
let database: TestDatabase;
let admin: OpenDatabase;
let url: string;

beforeAll(async () => {
  database = await createDatabase();
  admin = openDatabase(database.adminUrl);
  await admin.query(`create role ${role} login password 'secret' connection limit 1`);
  const own = new URL(database.url);
  own.username = role;
  own.password = "secret";
  url = own.href;
  waitForConnections((line) => lines.push(line));
});
afterAll(async () => {
  pg.Pool.prototype.connect = connect;
  await admin.query(`drop role ${role}`);
  await admin.close();
  await database.drop();
});

test("a pool waits for a connection that another one holds, and says so once", async () => {
  const holder = new pg.Pool({ connectionString: url });
  // Each gives the connection up at once, since either may get it first.
  const [first, second] = [1, 2].map(() => new pg.Pool({ connectionString: url, idleTimeoutMillis: 1 })) as [
    pg.Pool,
    pg.Pool,
  ];
  const held = await holder.connect();
  const asking = first.query("select 1 as one");
  const connecting = second.connect().then((client) => client.release(true));
  await expect.poll(() => lines).toEqual([expect.stringContaining("too many connections for role")]);
  held.release();
  await holder.end();
  expect((await asking).rows).toEqual([{ one: 1 }]);
  await connecting;
  await Promise.all([first.end(), second.end()]);
  expect(lines).toHaveLength(1);
});

test("a pool with a time limit gives up in time, with Postgres's reason", async () => {
  const holder = new pg.Pool({ connectionString: url });
  const held = await holder.connect();
  const hasty = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 1_000 });
  await expect(hasty.query("select")).rejects.toMatchObject({ code: "53300" });
  await expect(hasty.connect()).rejects.toMatchObject({ code: "53300" });
  held.release();
  await Promise.all([holder.end(), hasty.end()]);
});
