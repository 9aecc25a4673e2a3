import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { handleError } from "../http/error-handler.ts";
import { createUncheckedRun, type RunStatement } from "./run-statement.ts";
import { createSqlPool } from "./session.ts";
import { createSql } from "./sql.routes.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = createSqlPool({ url: database.url, schema: "public", connections: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function ask(sql: string, accept: string): Promise<string> {
  const runUnchecked = createUncheckedRun(pool, "public");
  const run: RunStatement = (statement, signal) => {
    const rows = runUnchecked(statement, signal);
    return { rows, ended: rows.then(() => {}) };
  };
  const app = createSql({ run, trustedHops: 0 });
  app.onError(handleError);
  const response = await app.request("/sql", {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ sql }),
  });
  return await response.text();
}

test.each(["application/json", "text/csv", "application/x-ndjson"])(
  "numbers in a column of JSON keep every digit in %s",
  async (accept) => {
    const wei = "123456789012345678901";
    const price = "0.000000000987654321098765432109";
    const answer = await ask(
      `select to_json(t) as row, to_jsonb(t.wei) as one, jsonb_build_array(t.price, 1.5, 7) as list
       from (select ${wei}::numeric as wei, ${price}::numeric as price, '1e5'::text as text) t`,
      accept,
    );
    expect(answer.replaceAll('""', '"')).toContain(`{"wei":${wei},"price":${price},"text":"1e5"}`);
    expect(answer.split(wei)).toHaveLength(3);
    expect(answer).toMatch(new RegExp(`\\[${price}, ?1\\.5, ?7\\]`));
  },
);

test.each(["application/json", "text/csv", "application/x-ndjson"])(
  "lists of texts of any kind are read as Postgres has written them in %s",
  async (accept) => {
    const texts = ["", "NULL", "a, b", '"\\"\\\\', "{}", "line\nbreak", " ", "🦦"];
    const literal = texts.map((text) => `'${text}'`).join();
    const answer = await ask(
      `select array[${literal}, null] as texts, array[array[1, null], array[3, 4]] as lists, '{}'::text[] as none,
         '[2:3]={1.50,2}'::numeric[] as later, array[true, false] as bools, array['23:59'::time] as times,
         (select array_agg(table_name) from information_schema.tables where table_name = 'views') as defined`,
      accept,
    );
    // In CSV, quotes are doubled.
    const plain = accept === "text/csv" ? answer.replaceAll('""', '"') : answer;
    const lists = [
      [...texts, null],
      [
        [1, null],
        [3, 4],
      ],
      [],
      ["1.50", "2"],
      [true, false],
      ["23:59:00"],
      ["views"],
    ];
    for (const list of lists) expect(plain).toContain(JSON.stringify(list));
  },
);

/** Each column's name is 6 times as long in JSON. */
const columns = Array.from({ length: 60 }, (_, index) => `1 as "${"\u0001".repeat(60)}${index}"`).join();

test.each([
  ["rows whose names are long", `select ${columns} from generate_series(1, 5000)`, "application/x-ndjson"],
  ["texts with many escapes", "select repeat(chr(1), 900000) from generate_series(1, 3)", "application/json"],
  ["texts with many quotes", `select repeat('"', 900000) from generate_series(1, 8)`, "text/csv"],
  ["a long text", "select repeat('a', 1000001)", "application/json"],
  ["a long list", "select array[repeat('a', 1000001)]", "application/json"],
  ["many values in a list", "select array_agg(null::text) from generate_series(1, 100001)", "text/csv"],
  [
    "many values in many lists",
    "select array[array[1, 2, 3, 4, 5, 6], array[7, 8, 9, 10, 11, 12]] from generate_series(1, 9000)",
    "application/json",
  ],
])("%s are refused, and don't hold up others", async (_, sql, accept) => {
  const answer = await ask(sql, accept);
  expect(answer.length).toBeLessThan(1_000);
  expect(JSON.parse(answer)).toMatchObject({ status: 400, code: "answer_too_large" });
});

test("a long message of Postgres is cut, and takes no longer to read than its length", async () => {
  // A pattern for another message that looked for its first words everywhere took minutes.
  const text = "bind message supplies 1 parameters, but ";
  const answer = await ask(`select repeat('${text}', 50000)::int`, "application/json");
  const { code, sqlState, detail } = JSON.parse(answer);
  expect([code, sqlState]).toEqual(["invalid_sql", "22P02"]);
  expect(detail).toMatch(/^invalid input syntax for type integer: "bind message supplies .*…$/);
  expect(detail.length).toBeLessThan(2_000);
});
