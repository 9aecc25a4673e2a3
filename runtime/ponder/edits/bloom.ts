import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/sync-realtime/bloom.js";

/** Hashes of addresses and topics. */
const maxCachedHashes = 20_000;

/** Speeds up the check of live blocks, which looks up every address and topic of every log in the block's bloom filter. */
export const bloom: Edit[] = [
  // The same addresses and topics recur, and hashing takes longer than everything else that is done with a log.
  {
    file,
    from: `const bloom = hexToBytes(_bloom);
    const hash = hexToBytes(keccak256(input));`,
    to: `if (_bloom !== last.text) Object.assign(last, { text: _bloom, bytes: hexToBytes(_bloom) });
    const bloom = last.bytes;
    const hash = hashOf(input);`,
  },
  {
    file,
    from: "export const isInBloom =",
    to: `const last = { text: undefined, bytes: undefined };
const hashes = new Map();
const hashOf = (input) => {
    const known = hashes.get(input);
    if (known !== undefined) return known;
    if (hashes.size >= ${maxCachedHashes}) hashes.clear();
    const hash = keccak256(input, "bytes");
    hashes.set(input, hash);
    return hash;
};
export const isInBloom =`,
  },
];
