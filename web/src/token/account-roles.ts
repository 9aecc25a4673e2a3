import type { Holder, TokenDetails } from "./data.ts";

/** What an account is to the token, or to the visitor. */
export type Role = "you" | "launchpad" | "pair" | "burn" | Holder["labels"][number];

/** The roles that a legend explains below the table, because their names are jargon. */
export const explainedRoles = ["bundler", "sniper", "insider"] as const;

const burnAddresses = new Set([`0x${"0".repeat(40)}`, `0x${"0".repeat(36)}dead`]);

type Parties = Pick<TokenDetails, "creator" | "launchpadAddress" | "pair">;

/**
 * The roles of an account, the most important first. Every bundler is a sniper, so that it isn't called that as well.
 *
 * @param labels what the API says that it is
 * @param visitor the account of the visitor's wallet, if one is connected
 */
export function rolesOf(
  address: string,
  { creator, launchpadAddress, pair }: Parties,
  labels: readonly Role[],
  visitor: string | undefined,
): Role[] {
  const roles = new Set<Role>();
  if (address === visitor) roles.add("you");
  if (address === launchpadAddress) roles.add("launchpad");
  if (address === pair) roles.add("pair");
  if (burnAddresses.has(address)) roles.add("burn");
  if (address === creator) roles.add("creator");
  for (const label of labels) roles.add(label);
  if (roles.has("bundler")) roles.delete("sniper");
  return [...roles];
}
