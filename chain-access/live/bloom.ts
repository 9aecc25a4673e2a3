import { LRUCache } from "lru-cache";
import { keccak256 } from "../hex.ts";
import type { Hex, Log } from "../sources/log.ts";

/** The 2,048 bits of a header's `logsBloom`, highest byte first. */
export type Bloom = Uint8Array;

const size = 256;

/** Of a header that was checked, so that all of it is hex. */
export const readBloom = (bloom: Hex): Bloom => Uint8Array.from(Buffer.from(bloom.slice(2), "hex"));

type Bits = readonly [number, number, number];

/** Characters of a topic. */
const longest = 66;
/** The same events and contracts are in block after block, and a hash takes longer than all else that is done with its bits. */
const known = new LRUCache<Hex, Bits>({ max: 10_000 });

/** The three bits that stand for an address or a topic, counted from the lowest (Yellow Paper, 4.4.3). */
export function bitsOf(value: Hex): Bits {
  let bits = known.get(value);
  if (bits === undefined) {
    const hash = keccak256(value);
    const bit = (index: number) => (((hash[index] ?? 0) << 8) + (hash[index + 1] ?? 0)) & 0x7ff;
    bits = [bit(0), bit(2), bit(4)];
    // An endpoint may say that a topic has a megabyte.
    if (value.length <= longest) known.set(value, bits);
  }
  return bits;
}

const hasBit = (bloom: Bloom, bit: number): boolean =>
  (((bloom[size - 1 - (bit >> 3)] as number) >> (bit & 7)) & 1) === 1;

/** A bloom's bits, one in each element: 1 or 0. */
export function flagsOf(bloom: Bloom): Uint8Array {
  const flags = new Uint8Array(8 * size);
  for (let bit = 0; bit < flags.length; bit++) flags[bit] = hasBit(bloom, bit) ? 1 : 0;
  return flags;
}

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
  return `0x${Buffer.from(bloom).toString("hex")}`;
}

function setBit(bloom: Bloom, bit: number): void {
  const index = size - 1 - (bit >> 3);
  bloom[index] = (bloom[index] as number) | (1 << (bit & 7));
}
