import { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("a client that goes on beyond its limit costs the database nothing", async () => {
  const limit = createRateLimit({ trustedHops: 1, sharedIn: pool })("reads", 3);
  const app = new Hono().use(limit).get("/", (c) => c.text("answered"));
  const ask = async (address: string) => await app.request("/", { headers: { "x-forwarded-for": address } });

  const answers = [];
  for (let count = 0; count < 6; count++) answers.push(await ask("192.0.2.1"));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429]);
  const last = answers.at(-1) as Response;
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(last.headers.get("ratelimit")).toMatch(/^"reads";r=0;t=[1-9]/);
  expect((await ask("192.0.2.2")).status).toBe(200);

  const counted = await database.query<{ key: string; points: number }>(
    "select key, points from offchain.rate_limit order by key",
  );
  expect(counted).toEqual([
    { key: "reads:192.0.2.1", points: 3 },
    { key: "reads:192.0.2.2", points: 1 },
  ]);
});
