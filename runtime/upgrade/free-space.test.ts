import { expect, test } from "vitest";
import { describeShortage } from "./free-space.ts";

const [small, large] = [1_000_000_000, 30_000_000_000];

test.each([
  ["the tables again and some more", { free: large + 200_000_000, running: large, existing: 0 }, undefined],
  [
    "too little for the tables again",
    { free: large, running: large, existing: 0 },
    /30000 MB free, .* 30200 MB/,
  ],
  ["what an earlier attempt lacks", { free: small, running: large, existing: large }, undefined],
  ["almost nothing", { free: 1_000_000, running: small, existing: 2 * small }, /1 MB free, .* 200 MB/],
])("a disk with %s", (_, space, problem) => {
  const shortage = describeShortage(space);
  if (problem === undefined) expect(shortage).toBeUndefined();
  else expect(shortage).toMatch(problem);
});
