import { expect, test } from "vitest";
import { readAlertSettings } from "./alerts.ts";

const key = "5afe".repeat(16);

function read(variables: Record<string, string>) {
  const problems: string[] = [];
  return { settings: readAlertSettings(variables, problems), problems };
}

test("alerts are off unless they are turned on, with a key", () => {
  expect(read({})).toEqual({ settings: undefined, problems: [] });
  expect(read({ ALERTS: "off", ALERTS_KEY: key }).settings).toBeUndefined();
  expect(read({ ALERTS: "on" }).problems).toEqual([expect.stringContaining("ALERTS_KEY is missing")]);
  expect(read({ ALERTS: "on", ALERTS_KEY: key }).settings).toMatchObject({ perWallet: 20, perAddress: 100 });
});

test("a key that is too short is refused, and not repeated", () => {
  const { problems } = read({ ALERTS: "on", ALERTS_KEY: "secret" });
  expect(problems).toHaveLength(1);
  expect(problems[0]).not.toContain("secret");
});

test("networks are addresses with a prefix", () => {
  const { settings } = read({
    ALERTS: "on",
    ALERTS_KEY: key,
    ALERTS_PRIVATE_NETWORKS: "10.0.0.0/8, fd00::/8",
  });
  expect(settings?.privateNetworks.check("10.1.2.3")).toBe(true);
  expect(settings?.privateNetworks.check("fd12::1", "ipv6")).toBe(true);
  expect(settings?.privateNetworks.check("192.168.0.1")).toBe(false);
  for (const networks of ["10.0.0.0", "10.0.0.0/33", "host/8", "10.0.0.0/8,"]) {
    expect(
      read({ ALERTS: "on", ALERTS_KEY: key, ALERTS_PRIVATE_NETWORKS: networks }).problems,
      networks,
    ).toHaveLength(1);
  }
});
