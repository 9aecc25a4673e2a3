import { expect, test } from "vitest";
import { describeEnd } from "./offer-upgrades.ts";

test.each([
  [{ code: null, signal: "SIGKILL" }, ["a line"], /^the new version was killed by the signal SIGKILL \(/],
  [
    { code: 1, signal: null },
    ["indexer (ponder) ended unexpectedly (exit code 1): stopping the rest", "  indexer | why"],
    /^indexer \(ponder\) ended/,
  ],
  [
    { code: 1, signal: null },
    ["chain 56: ...", "port 42069 (API) is taken"],
    /^port 42069 \(API\) is taken$/,
  ],
  [
    { code: 1, signal: null },
    ["Error: a bug", "    at start (start.ts:1:1)", "  code: 'E',", "}", "Node.js v24.21.0"],
    /^Error: a bug$/,
  ],
  [{ code: 3, signal: null }, [], /exit code 3$/],
] as const)("the end %o after these lines has a reason: %o", (exit, lines, reason) => {
  expect(describeEnd(exit, [...lines])).toMatch(reason);
});
