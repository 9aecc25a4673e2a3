import type { Address, TypedDataDomain } from "viem";
import type { AlertRule } from "./alert-rule.schema.ts";

const alertTypes = {
  Alert: [
    { name: "service", type: "string" },
    { name: "owner", type: "address" },
    { name: "url", type: "string" },
    { name: "rule", type: "string" },
    { name: "batch", type: "uint256" },
    { name: "issuedAt", type: "uint256" },
  ],
} as const;

const accessTypes = {
  AlertAccess: [
    { name: "service", type: "string" },
    { name: "owner", type: "address" },
    { name: "issuedAt", type: "uint256" },
  ],
} as const;

/** Binds a signature to one launchpad on one chain. */
const domain = (chain: { id: number; tokenFactory: Address }) =>
  ({
    name: "Launchpad Alerts",
    version: "1",
    chainId: chain.id,
    verifyingContract: chain.tokenFactory,
  }) as const satisfies TypedDataDomain;

export type SignedAccess = {
  /** Where clients reach this service, so that no other one can use the signature. */
  service: string;
  owner: Address;
  /** Seconds since 1970. */
  issuedAt: number;
};

export type SignedAlert = SignedAccess & { url: string; rule: AlertRule; batch: number };

/** The typed data (EIP-712) with which a wallet makes a subscription. The rule is JSON, with its fields in the order of the schema. */
export function alertTypedData(
  chain: { id: number; tokenFactory: Address },
  { service, owner, url, rule, batch, issuedAt }: SignedAlert,
) {
  return {
    domain: domain(chain),
    types: alertTypes,
    primaryType: "Alert",
    message: {
      service,
      owner,
      url,
      rule: JSON.stringify(rule),
      batch: BigInt(batch),
      issuedAt: BigInt(issuedAt),
    },
  } as const;
}

/** The typed data with which a wallet gets a token to manage its subscriptions. */
export function accessTypedData(
  chain: { id: number; tokenFactory: Address },
  { service, owner, issuedAt }: SignedAccess,
) {
  return {
    domain: domain(chain),
    types: accessTypes,
    primaryType: "AlertAccess",
    message: { service, owner, issuedAt: BigInt(issuedAt) },
  } as const;
}
