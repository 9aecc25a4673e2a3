import { execFile } from "node:child_process";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import {
  type EventSourceMessage,
  getLines,
  getMessages,
} from "@microsoft/fetch-event-source/lib/cjs/parse.js";
import { expect, test } from "vitest";
import { formatEvent, formatHeartbeat, formatPosition, formatReady, parseMessages } from "./format.ts";

const everything = [
  formatReady("1-1", 1_000),
  formatHeartbeat("2-1"),
  formatEvent("3-1", "trade", '{"kind":"trade"}'),
  formatHeartbeat("4-1"),
  formatHeartbeat(undefined),
  formatPosition("5-1"),
  formatHeartbeat("6-1"),
];

test("fetch-event-source reports nothing without data, and takes each id", () => {
  const messages: EventSourceMessage[] = [];
  const ids: string[] = [];
  const read = getLines(
    getMessages(
      (id) => ids.push(id),
      () => {},
      (message) => messages.push(message),
    ),
  );
  for (const text of everything) read(Buffer.from(text));
  expect(messages.map(({ id, event, data }) => [id, event, JSON.parse(data)])).toEqual([
    ["1-1", "ready", { cursor: "1-1" }],
    ["3-1", "trade", { kind: "trade" }],
    ["5-1", "position", { cursor: "5-1" }],
  ]);
  expect(ids).toEqual(["1-1", "2-1", "3-1", "4-1", "5-1", "6-1"]);
});

/** Prints the events that Node's EventSource reports, until `end` comes. */
const native = `
const source = new EventSource(process.argv[1]);
// Until it reconnects, nothing else keeps the process alive.
const stay = setInterval(() => {}, 1_000);
for (const kind of ["message", "ready", "trade", "position"]) source.addEventListener(kind, ({ type, data }) => console.log(type, data));
source.addEventListener("end", () => {
  source.close();
  clearInterval(stay);
});
`;

test("EventSource reports the same, and reconnects with the last id that came with an event", async () => {
  const returned: unknown[] = [];
  const server = http.createServer((request, response) => {
    returned.push(request.headers["last-event-id"]);
    response.setHeader("content-type", "text/event-stream");
    response.end(
      returned.length === 1 ? `retry: 1\n${everything.join("")}` : formatEvent("7-1", "end", "{}"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--experimental-eventsource",
    "--no-warnings",
    "--eval",
    native,
    url,
  ]);
  server.close();
  expect(stdout.trim().split("\n")).toEqual([
    'ready {"cursor":"1-1"}',
    'trade {"kind":"trade"}',
    'position {"cursor":"5-1"}',
  ]);
  expect(returned).toEqual([undefined, "5-1"]);
});

test("reads back events, and positions with and without one", () => {
  const data = JSON.stringify({ name: "event: ready\nid: 9-9\n\n" });
  const text = [
    formatReady("1-2", 1_500),
    formatEvent("2-2", "trade", data),
    formatHeartbeat("3-2"),
    formatEvent("4-2", "removed", "{}"),
    formatHeartbeat(undefined),
    formatPosition("5-2"),
    formatHeartbeat("6-2"),
  ];
  expect(parseMessages(text.join(""))).toEqual([
    { id: "1-2", event: "ready", data: '{"cursor":"1-2"}' },
    { id: "2-2", event: "trade", data },
    { id: "4-2", event: "removed", data: "{}" },
    { id: "5-2", event: "position", data: '{"cursor":"5-2"}' },
    { id: "6-2", event: undefined, data: "" },
  ]);
});

test("finds nothing in a comment", () => expect(parseMessages(formatHeartbeat(undefined))).toEqual([]));
