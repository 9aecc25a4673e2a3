import { chunk } from "../chunk.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Hex } from "../sources/log.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, headerByHash, headerByNumber, numberOf, readHeader } from "./block.ts";
import type { CanonicalChain } from "./canonical-chain.ts";
import type { Heads } from "./heads.ts";

export type ReadHeadersOptions = {
  ask: Ask;
  heads: Heads;
  endpoints: readonly Endpoint[];
  chain: CanonicalChain;
};

/** Headers of a batch. */
const mostInBatch = 50;
/** Milliseconds for all of them. */
const readMs = 15_000;

/** Reads headers. Null: no endpoint has it. */
export function createReadHeaders({ ask, heads, endpoints, chain }: ReadHeadersOptions) {
  async function byNumbers(numbers: number[]): Promise<Header[]> {
    const read = (results: unknown[]) =>
      results.map((answer, index) => {
        if (answer === null) throw new LacksBlock();
        return readHeader(answer, { number: numbers[index] });
      });
    const sent = await ask(numbers.map(headerByNumber), {
      number: numbers.at(-1),
      check: (results) => void read(results),
      signal: AbortSignal.timeout(readMs),
    });
    return sent === null ? [] : read(sent.results);
  }

  return {
    headerByNumber: async (number: number): Promise<Header | null> => (await byNumbers([number]))[0] ?? null,

    /** Both included, in order; those of a batch that no endpoint has are left out. */
    async headersByNumber(from: number, to: number): Promise<Header[]> {
      // Each counts as a request: a batch beyond what an endpoint takes in a second would never be answered.
      const fastest = Math.max(...endpoints.map(({ rate }) => rate));
      const batch = Math.max(1, Math.min(mostInBatch, Math.floor(fastest / 2)));
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      return (await Promise.all(chunk(numbers, batch).map(byNumbers))).flat();
    },

    async headerByHash(hash: Hex): Promise<Header | null> {
      const read = ([answer]: unknown[]) => {
        if (answer === null) throw new LacksBlock();
        return readHeader(answer, { hash });
      };
      const sent = await ask([headerByHash(hash)], {
        check: (results) => void read(results),
        signal: AbortSignal.timeout(readMs),
      });
      return sent && read(sent.results);
    },

    /**
     * Whether more endpoints have replaced the block of this number that is followed than still have it. A header from before
     * the first in memory proves nothing about those: then it is the first that must have been replaced.
     */
    async isReplacement(header: Header): Promise<boolean> {
      const number = Math.max(numberOf(header), Number(chain.first?.number ?? 0));
      const found = await Promise.all(
        endpoints.map((endpoint) => heads.fetchFrom(endpoint, headerByNumber(number))),
      );
      const hashes = found.flatMap((answer) => answer?.hash ?? []);
      const same = hashes.filter((hash) => hash === chain.hashAt(number)).length;
      return hashes.length - same > same;
    },
  };
}
