import { expect, test } from "vitest";
import { addRowComparison } from "./row-comparison.ts";

const cursor = '("t"."a" > $1 or ("t"."a" = $2 and ("t"."b" > $3 or ("t"."b" = $4 and "t"."c" >= $5))))';
const row = '("t"."a", "t"."b", "t"."c") >= ($1, $3, $5)';

test("a cursor's condition is asked as a comparison of rows too", () => {
  expect(addRowComparison(`select 1 from "t" where ${cursor} order by "a"`, [1, 1, "b", "b", 3])).toBe(
    `select 1 from "t" where (${row} and ${cursor}) order by "a"`,
  );
});

test("wherever it stands among others, and each of several", () => {
  const other = '("t"."d" < $6 or ("t"."d" = $7 and "t"."e" <= $8))';
  expect(
    addRowComparison(`where ("x" = $9 and ${cursor} and ${other} and "y" = $10)`, [1, 1, 2, 2, 3, 4, 4, 5]),
  ).toBe(
    `where ("x" = $9 and (${row} and ${cursor}) and (("t"."d", "t"."e") <= ($6, $8) and ${other}) and "y" = $10)`,
  );
});

test.each([
  ["no condition", 'select 1 from "t"'],
  ["a filter with different values", '("a" < $1 or ("a" = $3 and "b" <= $5))'],
  ["a filter of different columns", '("a" < $1 or ("b" = $2 and "b" <= $5))'],
  ["directions that differ", '("a" < $1 or ("a" = $2 and "b" >= $5))'],
  ["a last comparison without equality", '("a" < $1 or ("a" = $2 and "b" < $5))'],
  ["one more condition inside", '("a" < $1 or ("a" = $2 and "b" <= $5 and "c" = $4))'],
])("%s is left as it is", (_, statement) => {
  expect(addRowComparison(statement, [1, 1, 2, 2, 3])).toBe(statement);
});
