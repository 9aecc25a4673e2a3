import pg from "pg";
import { expect, inject, test, vi } from "vitest";
import { isTransientDatabaseError } from "../../../config/error-code.ts";
import { isLostConnection, reportErrorsOf } from "./retry.ts";

const withCode = (code: string) => Object.assign(new Error("failed"), { code });

const transient = [
  "ECONNREFUSED",
  "ECONNRESET",
  "08006",
  "53100",
  "57P01",
  "57014",
  "58030",
  "40P01",
  "25006",
  "25P03",
];

test.each(transient)("%s may succeed later", (code) =>
  expect(isTransientDatabaseError(withCode(code))).toBe(true),
);

test.each(["42703", "23505", "22021", "42P01", "ERR_INVALID_ARG_TYPE"])("%s is our own mistake", (code) =>
  expect(isTransientDatabaseError(withCode(code))).toBe(false),
);

test("a connection counts as lost if it broke, not if the server refuses or takes too long", () => {
  const isLost = (error: unknown) => isLostConnection(error);
  const lost = ["57P01", "25P03", "08006", "ECONNRESET", "EPIPE"].map(withCode);
  expect([...lost, new Error("Connection terminated unexpectedly")].map(isLost)).toEqual(Array(6).fill(true));
  const others = ["ECONNREFUSED", "53300", "57014", "40001"].map(withCode);
  const late = ["Connection terminated due to connection timeout", "Query read timeout"];
  expect([...others, ...late.map((text) => new Error(text))].map(isLost)).toEqual(Array(6).fill(false));
});

test("an error's cause counts, and values other than errors don't", () => {
  expect(isTransientDatabaseError(new Error("wrapped", { cause: withCode("ECONNREFUSED") }))).toBe(true);
  expect([
    isTransientDatabaseError("ECONNREFUSED"),
    isTransientDatabaseError(undefined),
    isTransientDatabaseError({ code: "08006" }),
  ]).toEqual([false, false, false]);
});

test("recognises the driver's own messages for a server that is unreachable, silent or out of connections", async () => {
  const nobody = new pg.Pool({ host: "127.0.0.1", port: 1 });
  const refused = await nobody.query("select 1").catch((error: unknown) => error);
  expect(isTransientDatabaseError(refused)).toBe(true);
  await nobody.end();

  const pool = new pg.Pool({ connectionString: inject("postgresUrl"), max: 1, query_timeout: 50 });
  pool.on("error", () => {});
  const silent = await pool.query("select pg_sleep(1)").catch((error: unknown) => error);
  expect(isTransientDatabaseError(silent)).toBe(true);
  await pool.end();

  const full = new pg.Pool({ connectionString: inject("postgresUrl"), max: 1 });
  const client = await full.connect();
  // Only from here on: a busy machine may keep the first connection waiting as well.
  full.options.connectionTimeoutMillis = 50;
  const waited = await full.query("select 1").catch((error: unknown) => error);
  expect(isTransientDatabaseError(waited)).toBe(true);
  client.release();
  await full.end();
});

test("work that the database can't do is reported once a minute, and an outage not at all", () => {
  const lines: string[] = [];
  const note = (line: unknown) => void lines.push(String(line));
  const spies = [
    vi.spyOn(console, "warn").mockImplementation(note),
    vi.spyOn(console, "error").mockImplementation(note),
  ];
  const report = reportErrorsOf("stream");
  for (const code of ["ECONNREFUSED", "57P01", "08006", "40P01", "53300", "42P01"]) report(withCode(code));
  expect(lines).toEqual([]);
  for (const code of ["57014", "53100", "57014"]) report(withCode(code));
  expect(lines).toEqual(["stream: Postgres can't do it now (failed): trying again"]);
  report(withCode("42703"));
  expect(lines.slice(1)).toEqual(["stream:"]);
  for (const spy of spies) spy.mockRestore();
});
