import { expect, test } from "vitest";
import { showSyncProgress } from "./sync-progress.ts";

/** The contents of the screen after these lines. */
function screenAfter(lines: string[], isTTY: boolean): string[] {
  const screen: string[] = [];
  const write = (text: string) => {
    // The escape sequence moves up by that many lines and clears everything below.
    if (text.startsWith("\x1b[")) screen.splice(screen.length - Number.parseInt(text.slice(2), 10));
    else screen.push(text.replace(/\n$/, ""));
    return true;
  };
  const show = showSyncProgress((line) => screen.push(line), { isTTY, columns: 60, write } as never);
  for (const line of lines) show(line);
  return screen;
}

const lines = [
  "started",
  "chain 56: history 10 %: 1,000 of 10,000 blocks, 12 s left",
  "chain 97: history 0 %: 0 of 10 blocks",
  "something else",
  "chain 56: history 50 %: 5,000 of 10,000 blocks, 5 events, and more than a line",
];

test("on a terminal, bars stay below all other lines and disappear when the sync ends", () => {
  expect(screenAfter(lines, true)).toEqual([
    "started",
    "something else",
    "chain 56 [============------------] 50 %: 5,000 of 10,000 bl",
    "chain 97 [------------------------] 0 %: 0 of 10 blocks",
  ]);
  const ended = ["chain 56: history 100 %: all", "chain 97: history 100 %: all"];
  expect(screenAfter([...lines, ...ended], true)).toEqual(["started", "something else"]);
});

test("elsewhere, the lines are logged unchanged", () => {
  expect(screenAfter(lines, false)).toEqual(lines);
});
