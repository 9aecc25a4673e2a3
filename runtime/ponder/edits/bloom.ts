import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/sync-realtime/bloom.js";

/** Each is the hash of an address or of a topic. */
const keptHashes = 20_000;

/** Whether a block that is followed live has what its logs say: every address and topic of every log is looked up in its bloom filter. */
export const bloom: Edit[] = [
  // The same addresses and topics come again and again, and a hash takes longer than all else that is done with a log.
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
    if (hashes.size >= ${keptHashes}) hashes.clear();
    const hash = keccak256(input, "bytes");
    hashes.set(input, hash);
    return hash;
};
export const isInBloom =`,
  },
];
