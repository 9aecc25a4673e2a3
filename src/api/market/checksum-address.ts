import type { Address } from "viem";
import { loadKernel } from "../../../salt-search/kernel.ts";

const kernel = loadKernel("scalar");

/**
 * An address, in any case, with its checksum (EIP-55), as viem's getAddress gives it. That hashes in JavaScript, which takes so
 * long that a list of ten thousand would keep everyone else waiting for a second.
 */
export function checksumAddress(address: string): Address {
  const digits = address.slice(2).toLowerCase();
  const hash = kernel.hash(Buffer.from(digits));
  let checked = "0x";
  for (let index = 0; index < digits.length; index++) {
    const digit = digits[index] as string;
    const bits = (hash[index >> 1] as number) >> (index % 2 === 0 ? 4 : 0);
    checked += (bits & 8) === 0 ? digit : digit.toUpperCase();
  }
  return checked as Address;
}
