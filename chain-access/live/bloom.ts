import { bytesToHex, hexToBytes, keccak256 } from "viem";
import type { Hex, Log } from "../sources/log.ts";

/** The 2,048 bits of a header's `logsBloom`, highest byte first. */
export type Bloom = Uint8Array;

const size = 256;

export const readBloom = (bloom: Hex): Bloom => hexToBytes(bloom, { size });

/** The three bits that stand for an address or a topic, counted from the lowest (Yellow Paper, 4.4.3). */
export function bitsOf(value: Hex): [number, number, number] {
  const hash = keccak256(value, "bytes");
  const bit = (index: number) => (((hash[index] ?? 0) << 8) + (hash[index + 1] ?? 0)) & 0x7ff;
  return [bit(0), bit(2), bit(4)];
}

const hasBit = (bloom: Bloom, bit: number): boolean =>
  (((bloom[size - 1 - (bit >> 3)] as number) >> (bit & 7)) & 1) === 1;

/** A bloom's bits, one in each element: 1 or 0. */
export const flagsOf = (bloom: Bloom): Uint8Array =>
  Uint8Array.from({ length: 8 * size }, (_, bit) => (hasBit(bloom, bit) ? 1 : 0));

/** Whether an address or a topic may have been in a log of the block. */
export const isInBloom = (bloom: Bloom, value: Hex): boolean =>
  bitsOf(value).every((bit) => hasBit(bloom, bit));

/** The bloom of a block that has exactly these logs. */
export function bloomOf(logs: readonly Pick<Log, "address" | "topics">[]): Bloom {
  const bloom = new Uint8Array(size);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    for (const bit of bitsOf(value)) setBit(bloom, bit);
  }
  return bloom;
}

/** A bloom that isn't empty and has none of these values. */
export function bloomWithout(values: readonly Hex[]): Hex {
  const bits = values.map(bitsOf);
  // One bit is a value's bloom only if its three bits are the same.
  const isFree = (bit: number) => bits.every((three) => three.some((other) => other !== bit));
  const bloom = new Uint8Array(size);
  setBit(bloom, Array.from({ length: 8 * size }, (_, bit) => bit).find((bit) => isFree(bit)) as number);
  return bytesToHex(bloom);
}

function setBit(bloom: Bloom, bit: number): void {
  const index = size - 1 - (bit >> 3);
  bloom[index] = (bloom[index] as number) | (1 << (bit & 7));
}
