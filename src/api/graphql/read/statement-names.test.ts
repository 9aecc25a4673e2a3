import { expect, test } from "vitest";
import { createStatementNames } from "./read-rows.ts";

test("a statement gets a name on its third use, and keeps it", () => {
  const nameOf = createStatementNames();
  expect([nameOf("a"), nameOf("b"), nameOf("a"), nameOf("a"), nameOf("b"), nameOf("a")]).toEqual([
    undefined,
    undefined,
    undefined,
    "graphql_1",
    undefined,
    "graphql_1",
  ]);
});

test("the number of names is limited, since connections keep them", () => {
  const nameOf = createStatementNames();
  const names = Array.from({ length: 300 }, (_, number) =>
    [1, 2, 3].map(() => nameOf(`select ${number}`)).at(-1),
  );
  expect(new Set(names).size).toBe(201);
  expect(names.at(-1)).toBeUndefined();
  expect(nameOf("select 0")).toBe("graphql_1");
});
