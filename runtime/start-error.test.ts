import { expect, test } from "vitest";
import { describeStartError, StartError } from "./start-error.ts";

test("expected errors are one line that says what to do, and others have their stack", () => {
  expect(describeStartError(new StartError("failed", "set\n  PORT"))).toBe("set PORT");
  expect(describeStartError(new Error("Connection terminated unexpectedly"))).toBe(
    "the database ended a connection during the start (Connection terminated unexpectedly): start again once Postgres runs",
  );
  const crowded = Object.assign(new Error("sorry, too many clients already"), { code: "53300" });
  expect(describeStartError(crowded)).toMatch(/^Postgres has no connection left \(sorry, .*\): raise /);
  expect(describeStartError(new Error("a bug"))).toMatch(/^Error: a bug\n {4}at /);
  expect(describeStartError("text")).toBe("text");
});
