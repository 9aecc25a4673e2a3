import { expect, test } from "vitest";
import { describeShortage, existingBytes } from "./free-space.ts";

const [small, large] = [1_000_000_000, 30_000_000_000];

const [log, full] = [2_000_000_000, 0];

test.each([
  [
    "the tables again, the log and some more",
    { free: large + log + 200_000_000, running: large, existing: 0, walGrowth: log },
    undefined,
  ],
  [
    "too little for the tables again",
    { free: large, running: large, existing: 0, walGrowth: full },
    /30000 MB free, .* 30200 MB/,
  ],
  [
    "too little for the log, which has shrunk",
    { free: large + 200_000_000, running: large, existing: 0, walGrowth: log },
    /30200 MB free, .* 32200 MB/,
  ],
  [
    "enough for small tables and the log that they make",
    { free: 500_000_000, running: 100_000_000, existing: 0, walGrowth: log },
    undefined,
  ],
  [
    "what an earlier attempt lacks",
    { free: small, running: large, existing: large, walGrowth: log },
    undefined,
  ],
  [
    "almost nothing",
    { free: 1_000_000, running: small, existing: 2 * small, walGrowth: log },
    /1 MB free, .* 200 MB/,
  ],
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
