import { boardOf, boards } from "./order/boards.ts";
import type { ListedToken } from "./order/entry-table.ts";

/** A listed registration. Volatile: a reorg may still change it. */
export type PackedToken = { id: number; token: ListedToken; creator: number; isVolatile: boolean };

/** Bytes of a registration: as many as its columns have. */
const packedBytes = 68;

/** The registrations that one value of allListedTokens has. */
export function* unpackTokens(packed: Buffer): Generator<PackedToken> {
  for (let at = 0; at < packed.length; at += packedBytes) {
    const progress = packed.readDoubleBE(at + 32);
    const graduated = packed.readInt32BE(at + 24) === 1;
    yield {
      id: packed.readInt32BE(at),
      isVolatile: packed.readInt32BE(at + 28) === 1,
      creator: packed.readInt32BE(at + 64),
      token: {
        chainId: packed.readInt32BE(at + 4),
        board: boards.indexOf(boardOf({ graduated, progress })),
        burnPercent: packed.readInt32BE(at + 8),
        createdBlock: Number(packed.readBigInt64BE(at + 12)),
        createdLogIndex: packed.readInt32BE(at + 20),
        progress,
        holders: packed.readInt32BE(at + 40),
        marketCap: packed.readDoubleBE(at + 44),
        creatorPercent: packed.readDoubleBE(at + 52),
        verified: packed.readInt32BE(at + 60) === 1,
      },
    };
  }
}

/** The highest id of all registrations in the values. */
export function highestId(packed: Buffer[]): number {
  let highest = 0;
  for (const some of packed) {
    for (let at = 0; at < some.length; at += packedBytes) highest = Math.max(highest, some.readInt32BE(at));
  }
  return highest;
}
