import type { Address, HDAccount } from "viem";
import { anvilAccount } from "../anvil-accounts.ts";

/** Creators of the simulated market that have keys, so that they can sign their registrations. */
const creators: HDAccount[] = [1, 2, 3].map(anvilAccount);

export const creatorAddresses = creators.map(({ address }) => address.toLowerCase() as Address);

/** The creator's account, if we have its key. */
export function findCreatorAccount(address: Address): HDAccount | undefined {
  return creators[creatorAddresses.indexOf(address)];
}
