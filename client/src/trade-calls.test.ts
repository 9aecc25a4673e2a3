import { expect, test } from "vitest";
import { type Quote, tradeCalls } from "./trade-calls.ts";

const transaction = { to: "0x01", data: "0x02", value: "5", gas: 400_000, chainId: 56 };
const approval = { to: "0x03", data: "0x04", value: "0", gas: 80_000, chainId: 56 };
const trade = { to: "0x01", data: "0x02", value: 5n, gas: 400_000n, chainId: 56 };
const approve = { to: "0x03", data: "0x04", value: 0n, gas: 80_000n, chainId: 56 };

function quote(changes: { from?: string; approval?: object | null; warnings?: string[] }): Quote {
  const { from, warnings = [] } = changes;
  return {
    transaction: { ...transaction, rpc: { from } },
    approval: changes.approval === undefined ? approval : changes.approval,
    warnings: warnings.map((code) => ({ code, message: "" })),
  } as unknown as Quote;
}

test.each([
  ["a buy is one call", quote({ approval: null }), [trade]],
  ["a sell that was quoted without an account is approved first", quote({}), [approve, trade]],
  [
    "a sell without a sufficient allowance is approved first",
    quote({ from: "0x05", warnings: ["allowance_too_low"] }),
    [approve, trade],
  ],
  [
    "a sell whose account was not checked is approved first",
    quote({ from: "0x05", warnings: ["account_not_checked"] }),
    [approve, trade],
  ],
  ["a sell that has been approved is one call", quote({ from: "0x05" }), [trade]],
])("%s", (_, given, calls) => expect(tradeCalls(given)).toEqual(calls));

test("a quote without a transaction says how to get one", () => {
  const without = { ...quote({}), transaction: null, hint: "give account" };
  expect(() => tradeCalls(without)).toThrow("give account");
});
