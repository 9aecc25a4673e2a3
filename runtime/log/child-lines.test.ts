import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPonderFilter, readChildLine, textOfChildLine } from "./child-lines.ts";
import type { LogRecord } from "./log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("records keep their time, level and fields, and other lines become records", () => {
  const ponder = { level: 40, time: 1_000, msg: "Slow", chain: "bsc", chain_id: 56, duration: 2.5 };
  const fields = { msg: "Slow", chain: "bsc", duration: 2.5 };
  expect(readChildLine(JSON.stringify(ponder))).toEqual({ time: 1_000, level: "warn", ...fields });
  const ours = { time: "1970-01-01T00:00:01.000Z", level: "error", ...fields };
  expect(readChildLine(JSON.stringify(ours))).toEqual({ time: 1_000, level: "error", ...fields });
  expect(textOfChildLine(JSON.stringify(ours))).toBe("Slow chain=bsc (3 ms)");

  for (const line of ["plain", "{ not JSON", '{"level":30}']) {
    expect(readChildLine(line)).toEqual({ time: Date.now(), level: "info", msg: line });
    expect(readChildLine(line, "stderr").level).toBe("warn");
    expect(textOfChildLine(line)).toBe(line);
  }
  for (const time of [undefined, "noon"])
    expect(readChildLine(JSON.stringify({ time, msg: "hi" }))).toEqual({
      time: Date.now(),
      level: "info",
      msg: "hi",
    });
});

test("a minute of blocks is one line for each chain, and everything else is written at once", () => {
  const written: LogRecord[] = [];
  const filter = createPonderFilter((record) => written.push(record));
  const log = (msg: string, fields: object = {}) =>
    filter({ time: Date.now(), level: "info", msg, ...fields });
  log("Indexed block range", { chain: "bsc", block_range: "[1,90]", event_count: 7 });
  for (let number = 91; number <= 190; number++) {
    log("Indexed block", { chain: "bsc", number, event_count: 2 });
  }
  log("Indexed block", { chain: "bscTestnet", number: 5, event_count: 0 });
  log("Finalized block", { chain: "bsc", number: 160 });
  for (let tick = 0; tick < 5; tick++) log("Updated backfill indexing progress", { progress: tick });
  log("Reorged block", { chain: "bsc", number: 189 });
  const atOnce = written.map(({ msg, progress }) => [msg, progress]);
  expect(atOnce).toEqual([
    ["Updated backfill indexing progress", 0],
    ["Reorged block", undefined],
  ]);

  vi.advanceTimersByTime(60_000);
  const summary = { time: Date.now(), level: "info", msg: "Indexed blocks" };
  expect(written.slice(2)).toEqual([
    { ...summary, chain: "bsc", blocks: 190, events: 207, last_block: 190, final_block: 160 },
    { ...summary, chain: "bscTestnet", blocks: 1, events: 0, last_block: 5 },
  ]);
  vi.advanceTimersByTime(600_000);
  expect(written).toHaveLength(4);
  log("Updated backfill indexing progress", { progress: 6 });
  expect(written).toHaveLength(5);
});

test("connections that are lost together are one line, without stacks", () => {
  const written: LogRecord[] = [];
  const filter = createPonderFilter((record) => written.push(record));
  const lose = (time: number, message: string) => {
    const error = { type: "error", message, stack: `error: ${message}\n    at Parser.parse (parser.ts:1:1)` };
    filter({ time, level: "warn", msg: "Postgres client error", error });
    filter({ time, level: "warn", msg: "Postgres pool error", error, application_name: "ponder_sync" });
  };
  for (let time = 0; time < 10; time++) lose(time, "terminating connection");
  lose(20, "read ECONNRESET");
  lose(60_000, "read ECONNRESET");
  expect(written.map(({ time, level, msg }) => [time, level, msg])).toEqual([
    [0, "warn", "Lost a connection to Postgres: terminating connection"],
    [20, "warn", "Lost a connection to Postgres: read ECONNRESET"],
    [60_000, "warn", "Lost a connection to Postgres: read ECONNRESET"],
  ]);
});
