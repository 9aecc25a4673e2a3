import { expect, test } from "vitest";
import { listTokensRoute } from "./list-tokens.routes.ts";

test.each([
  ["0.07", 70_000_000_000_000_000],
  ["0.57", 570_000_000_000_000_000],
  ["0.0000001", 100_000_000_000],
  // As JavaScript and Python print it.
  ["1e-7", 100_000_000_000],
  ["1.0E-7", 100_000_000_000],
  ["1.5e-07", 150_000_000_000],
  ["1000000000", 1e27],
  // As a number of BNB it is nearer to 36692911720067260 wei.
  ["0.036692911720067256", 36_692_911_720_067_256],
  ["0", 0],
])("a volume of %s BNB is exactly so many wei", (text, wei) => {
  const { minVolumeBnb, minNetVolumeBnb } = listTokensRoute.request.query.parse({
    minVolumeBnb: text,
    minNetVolumeBnb: text,
  });
  expect([minVolumeBnb, minNetVolumeBnb]).toEqual([wei, wei]);
});

test.each(["1e-19", "1.5e-18", "1e-0", "1e3"])(
  "a volume of %s BNB is refused, and not rounded",
  (minVolumeBnb) => {
    expect(listTokensRoute.request.query.safeParse({ minVolumeBnb }).success).toBe(false);
  },
);
