import type { Hex } from "../sources/log.ts";
import { type Header, numberOf } from "./block.ts";

export type CanonicalChain = ReturnType<typeof createCanonicalChain>;

/** The last headers of the branch that is followed, each the parent of the next. */
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
    has: ({ number, hash }: { number: number; hash: Hex }): boolean =>
      headers[indexOf(number)]?.hash === hash,

    /**
     * Adds a header whose parent is here, in place of whatever came after the parent.
     *
     * @returns whether something did: a reorg
     */
    append(header: Header): boolean {
      const index = indexOf(numberOf(header));
      if (headers[index - 1]?.hash !== header.parentHash) throw new Error("a block without its parent");
      const isReorg = index < headers.length;
      headers = [...headers.slice(0, index), header].slice(-size);
      return isReorg;
    },

    /** Begins again from a header that isn't linked to any of these. */
    restart(header: Header): void {
      headers = [header];
    },
  };
}
