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

/**
 * Raises the rate at which Ponder asks the gate, which is its only `custom_transport`. The gate keeps to each endpoint's own limit
 * and has most answers in memory. At Ponder's initial 20 requests a second, reading the blocks that are not final yet would take
 * seconds after each start.
 */
export const gateRequests: Edit[] = [
  {
    file: "ponder/dist/esm/rpc/index.js",
    from: "rpsLimit: INITIAL_MAX_RPS,",
    to: 'rpsLimit: hostname === "custom_transport" ? MAX_RPS : INITIAL_MAX_RPS,',
  },
];

const historical = "ponder/dist/esm/runtime/historical.js";

/**
 * Raises the number of blocks that Ponder asks the gate for at first, and by how much more each time. The gate reads ahead whatever
 * Ponder asks for, so small ranges don't come sooner, and each is a batch whose rows are written before the next one's are changed.
 */
export const firstRanges: Edit[] = [
  {
    file: historical,
    from: "let estimateRange = 25;",
    to: `const isAhead = typeof params.chain.rpc === "function";
    let estimateRange = isAhead ? 2_000 : 25;`,
  },
  { file: historical, from: "maxIncrease: 1.5,", to: "maxIncrease: isAhead ? 4 : 1.5," },
];
