import { nameNumbers, numberCount } from "./listed-tokens.query.ts";
import type { ListedToken } from "./order/entry-table.ts";
import { boardOf, boards } from "./order/sorts.ts";

/** A listed registration. Volatile means that a reorg may still change it. */
export type PackedToken = { id: number; token: ListedToken; creator: number; isVolatile: boolean };

/** Where the doubles of a packed registration begin, and where it ends. */
const doublesAt = 32;
const packedBytes = doublesAt + 8 * numberCount;

/** Unpacks the registrations in one value of readAllListedTokens. */
export function* unpackTokens(packed: Buffer): Generator<PackedToken> {
  for (let at = 0; at < packed.length; at += packedBytes) {
    const burnAndFlags = packed.readInt32BE(at + 20);
    const numbers = nameNumbers((index) => packed.readDoubleBE(at + doublesAt + 8 * index));
    const graduated = (burnAndFlags & 4) !== 0;
    yield {
      id: packed.readInt32BE(at),
      isVolatile: (burnAndFlags & 2) !== 0,
      creator: packed.readInt32BE(at + 28),
      token: {
        ...numbers,
        chainId: packed.readInt32BE(at + 4),
        board: boards.indexOf(boardOf({ graduated, progress: numbers.progress })),
        burnPercent: burnAndFlags >> 4,
        createdBlock: packed.readUInt32BE(at + 8),
        graduatedAt: packed.readUInt32BE(at + 12),
        createdLogIndex: packed.readInt32BE(at + 16),
        holders: packed.readInt32BE(at + 24),
        verified: (burnAndFlags & 1) !== 0,
        selfGraduated: (burnAndFlags & 8) !== 0,
      },
    };
  }
}

/** Returns the highest registration id in the values. */
export function highestId(packed: Buffer[]): number {
  let highest = 0;
  for (const some of packed) {
    for (let at = 0; at < some.length; at += packedBytes) highest = Math.max(highest, some.readInt32BE(at));
  }
  return highest;
}
