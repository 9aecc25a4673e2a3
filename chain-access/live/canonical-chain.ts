import type { Hex } from "../sources/log.ts";
import { type Header, numberOf } from "./block.ts";

export type CanonicalChain = ReturnType<typeof createCanonicalChain>;

/** The most recent headers of the canonical branch, each the parent of the next. */
export function createCanonicalChain(size = 256) {
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
