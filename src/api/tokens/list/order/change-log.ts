import type { Aspect } from "./conditions.ts";
import { orders } from "./sorts.ts";

const aspects: readonly Aspect[] = [...orders, "creator"];

/** Each aspect a bit. */
export const allAspects = 2 ** aspects.length - 1;

export function aspectBits(some: Aspect[]): number {
  return some.reduce((bits, aspect) => bits | (1 << aspects.indexOf(aspect)), 0);
}

/** An id with the bits of what may be otherwise now: its place in an order, or a share of it. */
export type LoggedChange = { id: number; aspects: number };

type Epoch = { ids: Int32Array; aspects: Uint16Array };

/** How many epochs back it is known what has changed. */
const rememberedEpochs = 200;

/** Which ids changed lately, and in what. */
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
      aspects: Uint16Array.from(changes, (change) => change.aspects),
    });
    if (this.#epochs.length > rememberedEpochs) this.#epochs.shift();
  }

  /** Counts up for changes that are too many to remember. */
  forget(): void {
    this.#epoch++;
    this.#epochs = [];
  }

  /** What has changed in one of the aspects since an epoch, or undefined where that is too long ago to know. */
  since(epoch: number, some: Aspect[]): number[] | undefined {
    const count = this.#epoch - epoch;
    if (count > this.#epochs.length) return undefined;
    const wanted = aspectBits(some);
    const changed = new Set<number>();
    for (const { ids, aspects } of this.#epochs.slice(this.#epochs.length - count)) {
      for (let index = 0; index < ids.length; index++) {
        if (((aspects[index] as number) & wanted) !== 0) changed.add(ids[index] as number);
      }
    }
    return [...changed];
  }
}
