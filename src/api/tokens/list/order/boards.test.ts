import { expect, test } from "vitest";
import { boardOf } from "./sorts.ts";

test.each([
  [false, 0, "new"],
  [false, 79.9999, "new"],
  [false, 80, "graduating"],
  [false, 99.9999, "graduating"],
  [true, 100, "listed"],
])("graduated %s with %d percent is on the board %s", (graduated, progress, board) => {
  expect(boardOf({ graduated, progress })).toBe(board);
});
