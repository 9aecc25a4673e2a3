import { expect, test } from "vitest";
import { describeShortage, existingBytes } from "./free-space.ts";

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

test("without a name, what exists is what an earlier attempt has left", () => {
  const live = { schema: "onchain", liveSince: new Date(), bytes: large };
  const left = { schema: "onchain_2", liveSince: undefined, bytes: small };
  expect(existingBytes([live, left], undefined)).toBe(small);
  expect(existingBytes([live, left], "onchain")).toBe(large);
  expect(existingBytes([live], undefined)).toBe(0);
  expect(existingBytes([live, left], "onchain_3")).toBe(0);
});
