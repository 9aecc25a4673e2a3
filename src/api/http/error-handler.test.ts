import { sql } from "drizzle-orm";
import { Hono } from "hono";
import { expect, inject, test } from "vitest";
import { createPool, openDatabase, queryRows } from "../database/database.ts";
import { handleError } from "./error-handler.ts";

test("a query that takes too long is distinguished from a database that does not answer", async () => {
  const slow = createPool({
    url: inject("postgresUrl"),
    name: "slow",
    connections: 1,
    statementSeconds: 0.05,
  });
  const away = createPool({
    url: "postgres://127.0.0.1:1/x",
    name: "away",
    connections: 1,
    statementSeconds: 1,
  });
  const app = new Hono()
    .get("/slow", async (c) => c.json(await queryRows(openDatabase(slow), sql`select pg_sleep(5)`)))
    .get("/away", async (c) => c.json(await queryRows(openDatabase(away), sql`select 1`)));
  app.onError(handleError);
  const codeAt = async (path: string) => {
    const answer = await app.request(path);
    return [
      answer.status,
      ((await answer.json()) as { code: string }).code,
      answer.headers.get("retry-after"),
    ];
  };
  expect(await codeAt("/slow")).toEqual([503, "query_timeout", "5"]);
  expect(await codeAt("/away")).toEqual([503, "database_unavailable", "5"]);
  await Promise.all([slow.end(), away.end()]);
});
