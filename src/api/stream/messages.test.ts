import { expect, test } from "vitest";
import { formatEvent, formatHeartbeat, formatPosition, formatReady, parseMessages } from "./format.ts";

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
