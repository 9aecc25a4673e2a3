import { LRUCache } from "lru-cache";
import { keccak256 } from "../hex.ts";
import type { Hex, Log } from "../sources/log.ts";

/** The 2,048 bits of a header's `logsBloom`, highest byte first. */
export type Bloom = Uint8Array;

const bloomBytes = 256;

/** Decodes the bloom of a checked header, whose hex is known to be valid. */
export const readBloom = (bloom: Hex): Bloom => Uint8Array.from(Buffer.from(bloom.slice(2), "hex"));

type Bits = readonly [number, number, number];

/** The length of a topic in hex. */
const maxCachedLength = 66;
/** Bits by address or topic: most recur in block after block, and hashing takes longer than everything else here. */
const bitsCache = new LRUCache<Hex, Bits>({ max: 10_000 });

/** The three bits that represent an address or a topic, counted from the lowest (Yellow Paper, 4.4.3). */
export function bitsOf(value: Hex): Bits {
  let bits = bitsCache.get(value);
  if (bits === undefined) {
    const hash = keccak256(value);
    const bit = (index: number) => (((hash[index] ?? 0) << 8) + (hash[index + 1] ?? 0)) & 0x7ff;
    bits = [bit(0), bit(2), bit(4)];
    // A hostile endpoint's topic may be a megabyte long.
    if (value.length <= maxCachedLength) bitsCache.set(value, bits);
  }
  return bits;
}

const hasBit = (bloom: Bloom, bit: number): boolean =>
  (((bloom[bloomBytes - 1 - (bit >> 3)] as number) >> (bit & 7)) & 1) === 1;

/** Unpacks a bloom into one element per bit: 1 or 0. */
export function flagsOf(bloom: Bloom): Uint8Array {
  const flags = new Uint8Array(8 * bloomBytes);
  for (let bit = 0; bit < flags.length; bit++) flags[bit] = hasBit(bloom, bit) ? 1 : 0;
  return flags;
}

/** The share of the bits that are set. The more, the more addresses match by chance. */
export function fullnessOf(bloom: Bloom): number {
  let set = 0;
  for (const byte of bloom) for (let rest = byte; rest > 0; rest &= rest - 1) set++;
  return set / (8 * bloomBytes);
}

/** Whether a block with this bloom may have a log with the address or topic. */
export const isInBloom = (bloom: Bloom, value: Hex): boolean =>
  bitsOf(value).every((bit) => hasBit(bloom, bit));

/** Computes the bloom of a block with exactly these logs. */
export function computeBloom(logs: readonly Pick<Log, "address" | "topics">[]): Bloom {
  const bloom = new Uint8Array(bloomBytes);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    for (const bit of bitsOf(value)) setBit(bloom, bit);
  }
  return bloom;
}

/** Creates a bloom that isn't empty and matches none of these values. */
export function bloomWithout(values: readonly Hex[]): Hex {
  const bits = values.map(bitsOf);
  // A single bit matches a value only if all three bits of the value are that bit.
  const isFree = (bit: number) => bits.every((three) => three.some((other) => other !== bit));
  const bloom = new Uint8Array(bloomBytes);
  setBit(bloom, Array.from({ length: 8 * bloomBytes }, (_, bit) => bit).find((bit) => isFree(bit)) as number);
  return `0x${Buffer.from(bloom).toString("hex")}`;
}

function setBit(bloom: Bloom, bit: number): void {
  const index = bloomBytes - 1 - (bit >> 3);
  bloom[index] = (bloom[index] as number) | (1 << (bit & 7));
}
