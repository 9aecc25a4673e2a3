import { Hono } from "hono";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tolerateLostConnections } from "../../../offchain/connection.ts";
import { startTcpGate, type TcpGate } from "../../../test/doubles/tcp-gate.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { createRateLimit, Refusals } from "./rate-limit.ts";

let database: TestDatabase;
let gate: TcpGate;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createDatabase();
  const { hostname, port } = new URL(database.url);
  gate = await startTcpGate(hostname, Number(port));
  const url = Object.assign(new URL(database.url), { port: String(gate.port) }).href;
  // Without a time limit, a silent database is waited for.
  pool = tolerateLostConnections(new pg.Pool({ connectionString: url, max: 1 }));
});

afterEach(async () => {
  gate.open();
  await pool.end();
  await gate.stop();
  await database.drop();
});

test("no request waits for a database that is silent, and requests count together again once it answers", async () => {
  const limit = createRateLimit({ trustedHops: 1, sharedIn: pool, refusals: new Refusals() });
  const app = new Hono().use(limit("reads", 3)).get("/", (c) => c.text("served"));
  const ask = async (client: string) =>
    (await app.request("/", { headers: { "x-forwarded-for": client } })).status;
  const countOf = async (client: string) => {
    const rows = await database.query<{ points: number }>(
      "select points from offchain.rate_limit where key = $1",
      [`reads:${client}`],
    );
    return rows[0]?.points ?? 0;
  };
  expect(await ask("192.0.2.1")).toBe(200);
  await expect.poll(() => countOf("192.0.2.1")).toBe(1);

  gate.freeze();
  expect(await ask("192.0.2.2")).toBe(200);
  // Counted here, as long as that lasts.
  for (let more = 0; more < 2; more++) await ask("192.0.2.2");
  expect(await ask("192.0.2.2")).toBe(429);
  expect(await ask("192.0.2.3")).toBe(200);

  gate.open();
  await expect
    .poll(async () => {
      await ask("192.0.2.4");
      return await countOf("192.0.2.4");
    })
    .toBeGreaterThan(0);
});

test("a minute that a process with another clock has begun days ahead is begun anew", async () => {
  const limit = createRateLimit({ trustedHops: 1, sharedIn: pool, refusals: new Refusals() });
  const app = new Hono().use(limit("reads", 3)).get("/", (c) => c.text("served"));
  const ask = async () => (await app.request("/", { headers: { "x-forwarded-for": "192.0.2.1" } })).status;
  await database.query("insert into offchain.rate_limit (key, points, expire) values ($1, 1000, $2)", [
    "reads:192.0.2.1",
    Date.now() + 3 * 86_400_000,
  ]);
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429]);
});
