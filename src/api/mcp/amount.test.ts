import { parseEther } from "viem";
import { expect, test } from "vitest";
import { type AmountFacts, amountPattern, amountProblem, resolveAmount } from "./amount.ts";

const facts: AmountFacts = { spendable: async () => parseEther("2"), unitUsd: async () => "600.5" };

test.each([
  ["0.01", parseEther("0.01")],
  ["50%", parseEther("1")],
  ["12.34%", (parseEther("2") * 1_234n) / 10_000n],
  ["max", parseEther("2")],
  ["$6.005", parseEther("0.01")],
])("%s is %s", async (text, expected) => {
  expect(text).toMatch(amountPattern);
  expect(await resolveAmount(text, facts)).toBe(expected);
});

test.each(["0", "0%", "0.0", "$0"])("%s is too small", async (text) => {
  await expect(resolveAmount(text, facts)).rejects.toMatchObject({ code: "amount_too_small" });
});

test.each(["max", "50%"])("%s of an empty account is refused with the reason", async (text) => {
  await expect(resolveAmount(text, { ...facts, spendable: async () => 0n })).rejects.toMatchObject({
    code: "amount_too_small",
    message: expect.stringContaining("nothing to spend"),
  });
});

test("without a rate, USD amounts are refused with advice", async () => {
  const unknown = { ...facts, unitUsd: async () => undefined };
  await expect(resolveAmount("$5", unknown)).rejects.toThrow("give the amount in BNB or tokens");
});

test.each(["", "-1", "1e3", "5$", "101.123%", "MAX", "1,5", "0x10"])("%j is not an amount", (text) => {
  expect(text).not.toMatch(amountPattern);
});

test.each([
  ["0.0000000000000000001", "; with at most 12 digits before the point and 18 after it"],
  ["10000000000000000", "; with at most 12 digits before the point and 18 after it"],
  ["$1.1234567", "; with at most 12 digits before the point and 6 after it"],
  ["12.345%", "; with at most 3 digits before the point and 2 after it"],
  ["1,5", ""],
  ["$5%", ""],
])("the error of %j names the limit, if it has too many digits", (text, limit) => {
  expect(text).not.toMatch(amountPattern);
  expect(amountProblem(text)).toBe(
    `must be whole BNB for a buy or tokens for a sell, such as "0.01", not wei; or "50%", "max" or "$5"${limit}`,
  );
});

test("more than 100% is refused", async () => {
  await expect(resolveAmount("150%", facts)).rejects.toThrow("at most 100%");
});
