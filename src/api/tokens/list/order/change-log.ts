import { type Sort, sorts } from "./sorts.ts";

/** Each sort a bit. */
export const allSorts = 2 ** sorts.length - 1;

export function sortBits(some: Sort[]): number {
  return some.reduce((bits, sort) => bits | bitOf(sort), 0);
}

const bitOf = (sort: Sort) => 1 << sorts.indexOf(sort);

/** An id with the bits of the sorts in which it may have another place now. */
export type LoggedChange = { id: number; sorts: number };

type Epoch = { ids: Int32Array; sorts: Uint8Array };

/** How many epochs back it is known what has changed. */
const rememberedEpochs = 200;

/** Which ids changed places lately, and in which orders. */
export class ChangeLog {
  #epoch = 0;
  /** The last epochs, the last one last. */
  #epochs: Epoch[] = [];

  /** Counts up with every change. */
  get epoch(): number {
    return this.#epoch;
  }

  record(changes: LoggedChange[]): void {
    this.#epoch++;
    this.#epochs.push({
      ids: Int32Array.from(changes, ({ id }) => id),
      sorts: Uint8Array.from(changes, (change) => change.sorts),
    });
    if (this.#epochs.length > rememberedEpochs) this.#epochs.shift();
  }

  /** Counts up for changes that are too many to remember. */
  forget(): void {
    this.#epoch++;
    this.#epochs = [];
  }

  /** What has changed places in an order since an epoch, or undefined where that is too long ago to know. */
  since(epoch: number, sort: Sort): number[] | undefined {
    const count = this.#epoch - epoch;
    if (count > this.#epochs.length) return undefined;
    const changed = new Set<number>();
    for (const { ids, sorts } of this.#epochs.slice(this.#epochs.length - count)) {
      for (let index = 0; index < ids.length; index++) {
        if (((sorts[index] as number) & bitOf(sort)) !== 0) changed.add(ids[index] as number);
      }
    }
    return [...changed];
  }
}
