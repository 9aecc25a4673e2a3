import * as viem from "viem";

/** Results to keep of each function: some ten blocks' addresses and topics. */
const maxResults = 20_000;

/*
 * Ponder looks up each address and topic of each log of a live block in the block's bloom filter. The same ones recur, as does the
 * filter itself, and hashing takes longer than everything else that is done with a log: 20 µs, and 4 for the filter's bytes.
 */
export const keccak256 = remembering((input: viem.Hex) => viem.keccak256(input));
export const hexToBytes = remembering((hex: viem.Hex) => viem.hexToBytes(hex));

function remembering<Result>(work: (input: viem.Hex) => Result): (input: viem.Hex) => Result {
  const results = new Map<viem.Hex, Result>();
  return (input) => {
    const earlier = results.get(input);
    if (earlier !== undefined) return earlier;
    if (results.size >= maxResults) results.clear();
    const result = work(input);
    results.set(input, result);
    return result;
  };
}
