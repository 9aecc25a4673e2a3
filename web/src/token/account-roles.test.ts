import { expect, test } from "vitest";
import { rolesOf } from "./account-roles.ts";

const address = (digit: string) => `0x${digit.repeat(40)}`;
const token = { creator: address("1"), launchpadAddress: address("2"), pair: address("3") };

test.each([
  { of: address("1"), labels: ["creator"], roles: ["creator"] },
  { of: address("1"), labels: [], roles: ["creator"] },
  { of: address("2"), labels: [], roles: ["launchpad"] },
  { of: address("3"), labels: [], roles: ["pair"] },
  { of: address("0"), labels: [], roles: ["burn"] },
  { of: `0x${"0".repeat(36)}dead`, labels: [], roles: ["burn"] },
  { of: address("4"), labels: [], roles: [] },
  { of: address("4"), labels: ["sniper"], roles: ["sniper"] },
  { of: address("4"), labels: ["bundler", "sniper"], roles: ["bundler"] },
  { of: address("4"), labels: ["bundler", "sniper", "insider"], roles: ["bundler", "insider"] },
  { of: address("9"), labels: ["insider"], roles: ["you", "insider"] },
] as const)("$of with the labels $labels is $roles", ({ of, labels, roles }) => {
  expect(rolesOf(of, token, labels, address("9"))).toEqual(roles);
});

test("a token on the curve has no pair, and nobody may be connected", () => {
  expect(rolesOf(address("4"), { ...token, pair: null }, [], undefined)).toEqual([]);
});
