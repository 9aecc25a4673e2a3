import type { Address, HDAccount } from "viem";
import { anvilAccount } from "../anvil-accounts.ts";

/** Accounts of the local chain that create tokens too and have keys, so that they can sign what they register. */
const creators: HDAccount[] = [1, 2, 3].map(anvilAccount);

export const creatorAddresses = creators.map(({ address }) => address.toLowerCase() as Address);

/** The account with this address, if we have its key. */
export function keyedCreator(address: Address): HDAccount | undefined {
  return creators[creatorAddresses.indexOf(address)];
}
