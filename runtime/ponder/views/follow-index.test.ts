import { expect, test } from "vitest";
import { describeFailure } from "./follow-index.ts";

const withCode = (code: string) => Object.assign(new Error("no"), { code });

test.each([
  new Error("Connection terminated unexpectedly"),
  ...["ECONNREFUSED", "08006", "40P01", "53300", "55P03", "57P01", "58030", "42P01", "3F000"].map(withCode),
])("a failure that may pass is not logged: %o", (error) => {
  expect(describeFailure(error)).toBe("");
});

test.each([new TypeError("state is undefined"), withCode("42501")])(
  "any other failure is logged, with and without a code: %o",
  (error) => {
    expect(describeFailure(error)).toMatch(/^warning: the views for analysts can't be made: (state|no)/);
  },
);
