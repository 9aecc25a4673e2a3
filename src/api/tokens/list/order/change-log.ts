import { type Aspect, aspects } from "./conditions.ts";

/** A bit mask with a bit for each aspect. */
export const allAspects = 2 ** aspects.length - 1;

export function aspectBits(some: Aspect[]): number {
  return some.reduce((bits, aspect) => bits | (1 << aspects.indexOf(aspect)), 0);
}

/** An id with the bits of what may have changed: its place in an order, or the share of its creator or of a group. */
export type LoggedChange = { id: number; aspects: number };

type Epoch = { ids: Int32Array; aspects: Uint32Array };

/** The number of epochs whose changes are remembered. */
const rememberedEpochs = 200;

/** Remembers which ids changed recently, and in which aspects. */
export class ChangeLog {
  #epoch = 0;
  /** The remembered epochs, the latest last. */
  #epochs: Epoch[] = [];

  /** Increases with every change. */
  get epoch(): number {
    return this.#epoch;
  }

  record(changes: LoggedChange[]): void {
    this.#epoch++;
    this.#epochs.push({
      ids: Int32Array.from(changes, ({ id }) => id),
      aspects: Uint32Array.from(changes, (change) => change.aspects),
    });
    if (this.#epochs.length > rememberedEpochs) this.#epochs.shift();
  }

  /** Starts a new epoch whose changes are too many to remember. */
  forget(): void {
    this.#epoch++;
    this.#epochs = [];
  }

  /** Returns the ids that changed in one of the aspects since an epoch, or undefined if that is too long ago. */
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
