import { BlockList } from "node:net";
import { z } from "zod";
import {
  type EgressSettings,
  integer,
  networks,
  onOrOff,
  proxyUrl,
  readVariables,
  type Variables,
} from "./values.ts";

/** Alerts by webhook, and what limits them. */
export type AlertSettings = EgressSettings & {
  /** 32 bytes, with which receivers' URLs and secrets are encrypted. */
  key: Buffer;
  /** Subscriptions of one wallet, and those made from one address. */
  perWallet: number;
  perAddress: number;
  /** Requests a minute to one receiver's address. */
  requestsPerHost: number;
};

const key = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits, such as from openssl rand -hex 32")
  .transform((text) => Buffer.from(text, "hex"));

export const alertVariables = z.object({
  ALERTS: onOrOff.default(false),
  ALERTS_KEY: key.optional(),
  ALERTS_PRIVATE_NETWORKS: networks.optional(),
  ALERTS_PROXY: proxyUrl.optional(),
  ALERTS_PER_WALLET: integer(1, 100_000).default(20),
  ALERTS_PER_ADDRESS: integer(1, 1_000_000).default(100),
  ALERTS_REQUESTS_PER_HOST: integer(1, 1_000_000).default(600),
});

/**
 * Reads and checks the variables about alerts. Returns undefined if they are off, or if anything is wrong: then a line about it is
 * added to `problems`, without the value.
 */
export function readAlertSettings(variables: Variables, problems: string[]): AlertSettings | undefined {
  const values = readVariables(alertVariables, variables, "", problems);
  if (values === undefined || !values.ALERTS) return undefined;
  if (values.ALERTS_KEY === undefined) {
    problems.push(
      "ALERTS_KEY is missing: ALERTS is on, so set 64 hexadecimal digits, such as from openssl rand -hex 32",
    );
    return undefined;
  }
  return {
    key: values.ALERTS_KEY,
    privateNetworks: values.ALERTS_PRIVATE_NETWORKS ?? new BlockList(),
    proxy: values.ALERTS_PROXY,
    perWallet: values.ALERTS_PER_WALLET,
    perAddress: values.ALERTS_PER_ADDRESS,
    requestsPerHost: values.ALERTS_REQUESTS_PER_HOST,
  };
}
