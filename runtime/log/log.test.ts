import { expect, test } from "vitest";
import { createLog, redactor } from "./log.ts";

/** A log whose output is kept as the contents of a screen. */
function logOn({ isTTY }: { isTTY: boolean }) {
  const screen: string[] = [];
  const write = (text: string) => {
    // The escape sequence moves up by that many lines and clears everything below.
    const isCleared = text.startsWith("\x1b[");
    if (isCleared) screen.splice(screen.length - Number.parseInt(text.slice(2), 10));
    screen.push(...(text.split("\x1b[J").at(-1) ?? "").split("\n").slice(0, -1));
    return true;
  };
  return { screen, ...createLog({ isTTY, columns: 60, write } as never) };
}

const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("lines are for people unless LOG_FORMAT asks for JSON, on a terminal and elsewhere", () => {
  for (const [isTTY, format, isJson] of [
    [false, undefined, false],
    [false, "json", true],
    [false, "pretty", false],
    [true, undefined, false],
    [true, "json", true],
    // As from a file with the line ends of Windows.
    [false, "json\r", true],
  ] as const) {
    const { screen, log, configure } = logOn({ isTTY });
    configure({ LOG_FORMAT: format });
    log("started");
    const [line = ""] = screen;
    if (isJson) expect(JSON.parse(line)).toMatchObject({ level: "info", msg: "started" });
    else expect(line).toMatch(/^\S*20\d\d-.*INFO.* started$/);
  }
});

test("each line has date and level, and those below LOG_LEVEL are left out", () => {
  const { screen, log, writeRecord, configure } = logOn({ isTTY: false });
  configure({ LOG_FORMAT: "json" });
  log("warning: too few files");
  writeRecord({ time: 0, level: "info", msg: "Indexed blocks", chain: "bsc", duration: 12.34 });
  configure({ LOG_FORMAT: "pretty", LOG_LEVEL: "warn" });
  log("not shown");
  log("broken", "error");
  writeRecord({
    time: 0,
    level: "warn",
    msg: "slow",
    chain: "bsc",
    duration: 12.34,
    error: { stack: "E: e\n  at x" },
  });
  const fault = { type: "RpcProviderError", message: "logs of another block", stack: "", meta: "Request" };
  writeRecord({ time: 0, level: "warn", msg: "failed", error: fault });
  const [warning = "", blocks = "", ...others] = screen;
  const { time, ...fields } = JSON.parse(warning);
  expect(time).toMatch(date);
  expect(fields).toEqual({ level: "warn", msg: "too few files" });
  expect(JSON.parse(blocks)).toEqual({
    time: "1970-01-01T00:00:00.000Z",
    level: "info",
    msg: "Indexed blocks",
    chain: "bsc",
    duration: 12.34,
  });
  expect(others).toEqual([
    expect.stringMatching(/^\S+Z ERROR broken$/),
    "1970-01-01T00:00:00.000Z WARN  slow chain=bsc (12 ms)",
    "E: e",
    "  at x",
    "1970-01-01T00:00:00.000Z WARN  failed",
    "RpcProviderError: logs of another block",
    "Request",
  ]);
});

test("no field of a record shows a secret, even one that JSON quotes", () => {
  const url = "postgres://owner:with%22quote%22s@db.example/launchpad";
  for (const LOG_FORMAT of ["json", "pretty"]) {
    const { screen, writeRecord, configure, addRedactor } = logOn({ isTTY: false });
    configure({ LOG_FORMAT });
    addRedactor(redactor([url, "https://bsc.example/v2/0123456789abcdef"]));
    const error = { stack: 'Error: password "with"quote"s" is wrong', meta: "key 0123456789abcdef" };
    writeRecord({ time: 0, level: "error", msg: `can't connect to ${url}`, error });
    expect(screen.join("\n")).toContain("db.example");
    expect(screen.join("\n")).not.toMatch(/quote|0123456789abcdef/);
  }
});

const lines = [
  "\nstarted",
  "chain 56: history 10 %: 1,000 of 10,000 blocks, 12 s left",
  "chain 97: history 0 %: 0 of 10 blocks",
  "\nsomething else",
  "chain 56: history 50 %: 5,000 of 10,000 blocks, 5 events, and more than a line",
];

test("on a terminal, the bars of a first sync stay below all other lines and disappear when it ends", () => {
  const { screen, log } = logOn({ isTTY: true });
  for (const line of lines) log(line);
  expect(screen).toEqual([
    ...["", "started", "", "something else"],
    "chain 56 [============------------] 50 %: 5,000 of 10,000 bl",
    "chain 97 [------------------------] 0 %: 0 of 10 blocks",
  ]);
  for (const chain of [56, 97]) log(`chain ${chain}: history 100 %: all`);
  expect(screen).toEqual(["", "started", "", "something else"]);
});

test("elsewhere, progress is logged like all other lines", () => {
  const { screen, log, configure } = logOn({ isTTY: false });
  configure({ LOG_FORMAT: "json" });
  for (const line of lines) log(line);
  expect(screen.map((line) => JSON.parse(line).msg)).toEqual(lines.map((line) => line.trim()));
});
