import { expect, test } from "vitest";
import { SettingsFileError } from "../config/process-environment.ts";
import { describeStartError, fileError, isFileError, isLostDatabase, StartError } from "./start-error.ts";

test("expected errors are one line that says what to do, and others have their stack", () => {
  expect(describeStartError(new StartError("set\n  PORT"))).toBe("set PORT");
  expect(describeStartError(new Error("Connection terminated unexpectedly"))).toBe(
    "the database doesn't answer any more (Connection terminated unexpectedly): start again once Postgres runs",
  );
  const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  expect(describeStartError(refused)).toMatch(/^the database doesn't answer any more \(ECONNREFUSED\): /);
  expect(describeStartError(new Error("timeout exceeded when trying to connect"))).toMatch(
    /^the database doesn't answer any more/,
  );
  const locked = Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
  expect(describeStartError(locked)).toMatch(
    /^another session keeps a lock in Postgres \(canceling .*\): end /,
  );
  const slow = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
  expect(describeStartError(slow)).toMatch(
    /^Postgres has ended .* \(canceling .*\): set statement_timeout = 0 /,
  );
  const crowded = Object.assign(new Error("sorry, too many clients already"), { code: "53300" });
  expect(describeStartError(crowded)).toMatch(/^Postgres has no connection left \(sorry, .*\): raise /);
  expect(describeStartError(new SettingsFileError(".env.local can't be read"))).toBe(
    ".env.local can't be read",
  );
  expect(describeStartError(new Error("a bug"))).toMatch(/^Error: a bug\n {4}at /);
  expect(describeStartError("text")).toBe("text");
});

test("a file that can't be written says where else it may be: in DATA_DIR by default", () => {
  const full = Object.assign(new Error("write"), { code: "ENOSPC" });
  const denied = Object.assign(new Error("open"), { code: "EACCES" });
  expect(fileError(full, "/data").message).toBe(
    "no space left on the disk of /data: free some, or set DATA_DIR to a folder on another disk",
  );
  expect(fileError(full, "/backups/a.tar", "name a file").message).toBe(
    "no space left on the disk of /backups/a.tar: free some, or name a file on another disk",
  );
  const deniedToDuckDb = new Error('IO Error: Cannot open file "/lake/a": Permission denied');
  expect(fileError(deniedToDuckDb, "/lake", "name a folder").message).toBe(
    "cannot write to /lake (permission denied): make it writable, or name a folder that is",
  );
  expect(fileError(denied, "/backups/a.tar", "name a file").message).toBe(
    "cannot write to /backups/a.tar (permission denied): make it writable, or name a file that is",
  );
});

test("a database that goes away is known in any language that Postgres speaks", () => {
  const stopped = new Error("Verbindung wird abgebrochen aufgrund von Anweisung des Administrators");
  Object.assign(stopped, { code: "57P01" });
  expect(describeStartError(stopped)).toMatch(/^the database doesn't answer any more \(Verbindung /);
  expect(isLostDatabase(new StartError("it can't be used", { cause: stopped }))).toBe(true);
  expect(isLostDatabase(Object.assign(new Error("ungültige Eingabe"), { code: "22P02" }))).toBe(false);
});

test("a connection that is lost is no fault of a file", () => {
  const failed = (message: string) =>
    Object.assign(new Error(message), { syscall: message.split(" ")[0], code: message.split(" ")[1] });
  for (const message of [
    "read ECONNRESET",
    "write ECONNRESET",
    "connect ECONNREFUSED 127.0.0.1:1",
    // Of a container that has stopped, the name is gone too.
    "getaddrinfo ENOTFOUND postgres",
    "getaddrinfo EAI_AGAIN postgres",
  ]) {
    expect(isFileError(failed(message))).toBe(false);
    expect(describeStartError(failed(message))).toBe(
      `the database doesn't answer any more (${message}): start again once Postgres runs`,
    );
  }
  expect(isFileError(failed("write ENOSPC"))).toBe(true);
  expect(isFileError(new Error("Connection terminated unexpectedly"))).toBe(false);
});
