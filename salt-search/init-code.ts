import { concatBytes, encodeAbiParameters, type Hex, hexToBytes } from "viem";
import { loadKernel } from "./kernel.ts";

/** Returns keccak256 of a token's creation code and constructor arguments, on which its address depends. */
export type InitCodeHasher = (creationCode: Uint8Array, name: string, symbol: string) => Hex;

/** Creates a hasher with its own kernel, because viem would block the event loop for half a millisecond each time. */
export function createInitCodeHasher(): InitCodeHasher {
  const kernel = loadKernel("scalar");
  return (creationCode, name, symbol) => {
    const parameters = encodeAbiParameters([{ type: "string" }, { type: "string" }], [name, symbol]);
    const hash = kernel.hash(concatBytes([creationCode, hexToBytes(parameters)]));
    return `0x${Buffer.from(hash).toString("hex")}`;
  };
}
