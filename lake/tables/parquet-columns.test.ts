import { expect, test } from "vitest";
import { selectForParquet } from "./columns.ts";

test("names are quoted, and wide numbers get a double beside them", () => {
  expect(selectForParquet([{ name: 'a"b', kind: "wide" }])).toBe(
    '"a""b", cast("a""b" as double) as "a""b_double"',
  );
});

test("only tables with amounts have a column for those out of range", () => {
  expect(selectForParquet([{ name: "chain_id", kind: "integer" }])).not.toContain("out_of_range");
  expect(selectForParquet([{ name: "bnb_amount_wei", kind: "amount" }])).toContain("end as out_of_range");
});
