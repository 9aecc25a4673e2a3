import type { Address } from "viem";
import { loadKernel } from "../../../salt-search/kernel.ts";

const kernel = loadKernel("scalar");

/**
 * Adds the checksum (EIP-55) to an address in any case, like viem's getAddress. That one hashes in JavaScript, which for a list
 * of ten thousand would block the event loop for a second.
 */
export function checksumAddress(address: string): Address {
  const digits = address.slice(2).toLowerCase();
  const hash = kernel.hash(Buffer.from(digits));
  let checksummed = "";
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charAt(index);
    const bits = (hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0);
    checksummed += (bits & 8) === 0 ? digit : digit.toUpperCase();
  }
  return `0x${checksummed}`;
}
