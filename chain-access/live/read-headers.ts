import type { Call, Endpoint } from "../endpoint/endpoint.ts";
import { wrong } from "../endpoint/fault.ts";
import { chunk } from "../endpoint/limits.ts";
import { firstDoubt } from "../pool/anchor.ts";
import type { Hex } from "../sources/log.ts";
import { type Ask, LacksBlock } from "./ask.ts";
import { type Header, headerByHash, headerByNumber, isBeforeParent, numberOf, readHeader } from "./block.ts";
import { createHeaderCheck } from "./header-hash.ts";
import type { Heads } from "./heads.ts";

export type ReadHeadersOptions = {
  ask: Ask;
  heads: Heads;
  endpoints: readonly Endpoint[];
  chain: CanonicalChain;
};

/** Headers per batch. */
const maxBatchSize = 50;
/** Milliseconds to read them. */
const readMs = 15_000;

type Reading = {
  /** Returns the header in an answer. Throws an EndpointFault of kind "wrong" if it isn't what was asked for. */
  read: (answer: unknown, index: number) => Header;
  /** The number of the last block, if known. */
  number?: number | undefined;
  /** Must throw an EndpointFault of kind "wrong" for a header that is to be read again. */
  check?: (header: Header, endpoint: Endpoint) => void;
};

export type HeaderReader = ReturnType<typeof createReadHeaders>;

/** Reads headers. Those of a single block resolve to null if no endpoint has it. */
export function createReadHeaders({ ask, heads, endpoints, chain }: ReadHeadersOptions) {
  const headerCheck = createHeaderCheck();
  /** Resolves to null if no endpoint has all of the blocks. */
  async function readAll(calls: Call[], { read, number, check }: Reading): Promise<Header[] | null> {
    const readOne = (answer: unknown, index: number) => {
      if (answer === null) throw new LacksBlock();
      return read(answer, index);
    };
    const isDoubted = headerCheck.createDoubt();
    const sent = await ask(calls, {
      number,
      check: (results, endpoint) => {
        for (const header of results.map(readOne)) {
          if (isDoubted(header, endpoint))
            throw wrong(`a header of block ${numberOf(header)} that does not have its hash`);
          check?.(header, endpoint);
        }
      },
      signal: AbortSignal.timeout(readMs),
    });
    const headers = sent?.results.map(readOne) ?? null;
    for (const header of headers ?? []) headerCheck.accept(header);
    return headers;
  }

  const byNumbers = async (numbers: number[]): Promise<Header[]> =>
    (await readAll(numbers.map(headerByNumber), {
      read: (answer, index) => readHeader(answer, { number: numbers[index] }),
      number: numbers.at(-1),
    })) ?? [];

  async function byHash(hash: Hex, options: Omit<Reading, "read"> = {}): Promise<Header | null> {
    const read = (answer: unknown) => readHeader(answer, { hash });
    return (await readAll([headerByHash(hash)], { ...options, read }))?.[0] ?? null;
  }

  return {
    headerByNumber: async (number: number): Promise<Header | null> => (await byNumbers([number]))[0] ?? null,

    /** Reads headers from one number to another, both included, in order. Batches that no endpoint has are left out. */
    async headersByNumber(from: number, to: number): Promise<Header[]> {
      // Each call counts as a request: a batch of more than an endpoint accepts in a second would never be answered.
      const fastest = Math.max(...endpoints.map(({ rate }) => rate));
      const batch = Math.max(1, Math.min(maxBatchSize, Math.floor(fastest / 2)));
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      return (await Promise.all(chunk(numbers, batch).map(byNumbers))).flat();
    },

    headerByHash: (hash: Hex): Promise<Header | null> => byHash(hash),

    /**
     * Returns a header, read again if it doesn't have its hash, or is older than its parent. What is read is accepted if no endpoint
     * has another one: then the chain hashes headers otherwise, or the parent's time was wrong. Resolves to null if no endpoint has the
     * block.
     */
    async confirm(header: Header, parent: Header | undefined): Promise<Header | null> {
      const isTooEarly = (one: Header) => parent !== undefined && isBeforeParent(one, parent);
      if (!headerCheck.isFalse(header) && !isTooEarly(header)) return header;
      const isFirstDoubt = firstDoubt();
      return await byHash(header.hash, {
        number: numberOf(header),
        check(again, endpoint) {
          if (isTooEarly(again) && isFirstDoubt(endpoint))
            throw wrong(`a time of block ${numberOf(again)} before that of its parent`);
        },
      });
    },

    /**
     * Whether more endpoints have replaced the canonical block of this number than still have it. For a number before the first
     * block in memory, that first block must have been replaced.
     */
    async isReplacement(header: Header): Promise<boolean> {
      const number = Math.max(numberOf(header), Number(chain.first?.number ?? 0));
      const headers = await Promise.all(
        endpoints.map((endpoint) => heads.fetchFrom(endpoint, headerByNumber(number), { number })),
      );
      const hashes = headers.flatMap((answer) => answer?.hash ?? []);
      const same = hashes.filter((hash) => hash === chain.hashAt(number)).length;
      return hashes.length - same > same;
    },
  };
}

export type CanonicalChain = ReturnType<typeof createCanonicalChain>;

/** The most recent headers of the canonical branch, each the parent of the next. */
export function createCanonicalChain(size: number) {
  let headers: Header[] = [];

  const indexOf = (number: number) => (headers[0] === undefined ? -1 : number - numberOf(headers[0]));

  return {
    get first(): Header | undefined {
      return headers[0];
    },
    get tip(): Header | undefined {
      return headers.at(-1);
    },
    hashAt: (number: number): Hex | undefined => headers[indexOf(number)]?.hash,
    /** The parent of a header, if it is here. */
    parentOf({ number, parentHash }: Header): Header | undefined {
      const parent = headers[indexOf(Number(number) - 1)];
      return parent?.hash === parentHash ? parent : undefined;
    },
    has: ({ number, hash }: { number: number; hash: Hex }): boolean =>
      headers[indexOf(number)]?.hash === hash,

    /**
     * Appends a header to its parent, which must be here, and drops any blocks after the parent.
     *
     * @returns whether blocks were dropped: a reorg
     */
    append(header: Header): boolean {
      const index = indexOf(numberOf(header));
      if (headers[index - 1]?.hash !== header.parentHash) throw new Error("a block without its parent");
      const isReorg = index < headers.length;
      headers = [...headers.slice(0, index), header].slice(-size);
      return isReorg;
    },

    /** Starts over from a header that isn't linked to any of these. */
    restart(header: Header): void {
      headers = [header];
    },
  };
}
