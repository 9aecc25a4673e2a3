import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { hasNoUser, integer, onOrOff, readVariables, type Variables } from "./values.ts";

/** Alerts by webhook, and what limits them. */
export type AlertSettings = {
  /** 32 bytes, with which receivers' URLs and secrets are encrypted. */
  key: Buffer;
  /** Networks in which receivers may be although they are private, there also without TLS. Empty: none. */
  privateNetworks: BlockList;
  /** The proxy through which receivers are reached. Undefined: directly. */
  proxy: string | undefined;
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

const networks = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().split("/")))
  .refine((parts) => parts.every(isNetwork), {
    message: "must be networks such as 10.0.0.0/8, separated by commas",
  })
  .transform((parts) => {
    const list = new BlockList();
    for (const [address = "", prefix] of parts) {
      list.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
    }
    return list;
  });

function isNetwork([address = "", prefix = "", ...others]: string[]): boolean {
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return others.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}

const proxyUrl = z
  .url({ protocol: /^http$/, error: "must be an http URL, such as http://proxy.internal:3128" })
  .refine(hasNoUser, { message: "must not have a user or a password in it" });

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
