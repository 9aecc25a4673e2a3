import { expect, test } from "vitest";
import { literal, statement } from "./connection.ts";

test("names and values are quoted, whatever is in them", () => {
  expect(statement`alter role ${'a"; drop role b; --'} password ${literal("c'; drop role d; --\\")}`).toBe(
    `alter role "a""; drop role b; --" password  E'c''; drop role d; --\\\\'`,
  );
});

test("the text itself stays as it is written", () => {
  expect(statement`select '\n'`).toBe("select '\n'");
});
