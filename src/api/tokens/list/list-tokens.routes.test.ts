import { expect, test } from "vitest";
import { listTokensRoute } from "./list-tokens.routes.ts";

test.each([
  ["0.07", 70_000_000_000_000_000],
  ["0.57", 570_000_000_000_000_000],
  ["0.0000001", 100_000_000_000],
  ["1000000000", 1e27],
  ["0", 0],
])("a volume of %s BNB is exactly so many wei", (text, wei) => {
  const { minVolumeBnb, minNetVolumeBnb } = listTokensRoute.request.query.parse({
    minVolumeBnb: text,
    minNetVolumeBnb: text,
  });
  expect([minVolumeBnb, minNetVolumeBnb]).toEqual([wei, wei]);
});
