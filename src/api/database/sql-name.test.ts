import { PgDialect } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { sqlInteger, sqlName } from "./columns.ts";

const textOf = (query: ReturnType<typeof sqlName>) => new PgDialect().sqlToQuery(query);

test("a name is quoted, an integer is written out, and neither is a parameter", () => {
  expect(textOf(sqlName("t.created_block"))).toEqual({ sql: '"t"."created_block"', params: [] });
  expect(textOf(sqlName("onchain"))).toEqual({ sql: '"onchain"', params: [] });
  expect(textOf(sqlInteger(2n ** 256n))).toMatchObject({ sql: (2n ** 256n).toString() });
});

test.each(['a"; drop table b', "a b", "a.b.c", "", "a.", "A", "a-b", 'a"', "a\n"])(
  "%j is rejected",
  (name) => {
    expect(() => sqlName(name)).toThrow("not a plain name");
  },
);

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY])("%j is not an integer", (value) => {
  expect(() => sqlInteger(value)).toThrow();
});
