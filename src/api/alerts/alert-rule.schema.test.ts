import { expect, test } from "vitest";
import { alertRule } from "./alert-rule.schema.ts";

const mint = `0x${"ab".repeat(20)}`;
const errorsOf = (rule: object) =>
  alertRule
    .safeParse({ type: "crosses", mint, ...rule })
    .error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`);

test.each([
  [{ metric: "priceBnb", below: "0" }, "below must be more than 0: it never falls to that"],
  [{ metric: "marketCapUsd", below: "0.000" }, "below must be more than 0: it never falls to that"],
  [
    { metric: "volumeBnb", below: "0.0", windowMinutes: 5 },
    "below must be more than 0: it never falls to that",
  ],
  [{ metric: "holders", above: "0" }, "above must be more than 0: no value is less"],
])("a limit that can't be crossed is refused: %j", (rule, error) => {
  expect(errorsOf(rule)).toEqual([error]);
});

test.each([
  { metric: "creatorPercent", below: "0" },
  { metric: "holders", below: "0" },
  { metric: "priceBnb", below: "0.000000000000000001" },
])("a limit that can be crossed is taken: %j", (rule) => {
  expect(errorsOf(rule)).toBeUndefined();
});
