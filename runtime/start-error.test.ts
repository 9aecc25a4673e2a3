import { expect, test } from "vitest";
import { describeStartError, isFileError, StartError } from "./start-error.ts";

test("expected errors are one line that says what to do, and others have their stack", () => {
  expect(describeStartError(new StartError("set\n  PORT"))).toBe("set PORT");
  expect(describeStartError(new Error("Connection terminated unexpectedly"))).toBe(
    "the database doesn't answer any more (Connection terminated unexpectedly): start again once Postgres runs",
  );
  const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  expect(describeStartError(refused)).toMatch(/^the database doesn't answer any more \(ECONNREFUSED\): /);
  const locked = Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
  expect(describeStartError(locked)).toMatch(
    /^another session keeps a lock in Postgres \(canceling .*\): end /,
  );
  const crowded = Object.assign(new Error("sorry, too many clients already"), { code: "53300" });
  expect(describeStartError(crowded)).toMatch(/^Postgres has no connection left \(sorry, .*\): raise /);
  expect(describeStartError(new Error("a bug"))).toMatch(/^Error: a bug\n {4}at /);
  expect(describeStartError("text")).toBe("text");
});

test("a connection that is lost is no fault of a file", () => {
  const failed = (message: string) =>
    Object.assign(new Error(message), { syscall: message.split(" ")[0], code: message.split(" ")[1] });
  for (const message of ["read ECONNRESET", "write ECONNRESET", "connect ECONNREFUSED 127.0.0.1:1"]) {
    expect(isFileError(failed(message))).toBe(false);
    expect(describeStartError(failed(message))).toBe(
      `the database doesn't answer any more (${message}): start again once Postgres runs`,
    );
  }
  expect(isFileError(failed("write ENOSPC"))).toBe(true);
  expect(isFileError(new Error("Connection terminated unexpectedly"))).toBe(false);
});
