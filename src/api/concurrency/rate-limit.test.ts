import { Hono } from "hono";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { createRateLimit } from "./rate-limit.ts";

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

afterEach(() => vi.restoreAllMocks());

function limited(quota: number) {
  const app = new Hono().use(createRateLimit({ trustedHops: 1, sharedIn: pool })("reads", quota));
  app.get("/", (c) => c.text("answered"));
  return async (address: string) => await app.request("/", { headers: { "x-forwarded-for": address } });
}

const counted = (address: string) =>
  database.query("select points from offchain.rate_limit where key = $1", [`reads:${address}`]);

test("a client that goes on beyond its limit costs the database nothing", async () => {
  const ask = limited(3);
  const answers = [];
  for (let count = 0; count < 6; count++) answers.push(await ask("192.0.2.1"));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429]);
  const last = answers.at(-1) as Response;
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(last.headers.get("ratelimit")).toMatch(/^"reads";r=0;t=[1-9]/);
  expect(await counted("192.0.2.1")).toEqual([{ points: 4 }]);
  expect((await ask("192.0.2.2")).status).toBe(200);
});

test("a crowd is counted by two statements, each request once and in order", async () => {
  const ask = limited(40);
  const statements = vi.spyOn(pool, "query");
  const crowd = Array.from({ length: 100 }, (_, index) => ask(`192.0.2.${10 + (index % 2)}`));
  const answers = await Promise.all(crowd);
  expect(statements.mock.calls.length).toBeLessThanOrEqual(2);
  expect(answers.map(({ status }) => status)).toEqual([...Array(80).fill(200), ...Array(20).fill(429)]);
  const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]));
  expect(left.slice(0, 80)).toEqual(Array.from({ length: 80 }, (_, index) => 39 - Math.floor(index / 2)));
  expect([await counted("192.0.2.10"), await counted("192.0.2.11")]).toEqual([
    [{ points: 50 }],
    [{ points: 50 }],
  ]);
});

test("two processes that count at the same time count every request once, and don't deadlock", async () => {
  const [one, two] = [limited(1_000), limited(1_000)];
  const addresses = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`);
  const crowd = [...addresses.map(one), ...addresses.toReversed().map(two)];
  expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([200]));
  for (const address of addresses) expect(await counted(address)).toEqual([{ points: 2 }]);
});
