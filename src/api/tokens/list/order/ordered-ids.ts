import { type Compare, type CompareWithPosition, countBefore, findInsertionIndex } from "./sorted-ids.ts";

/**
 * A sorted array of ids: the n-th is read in constant time. Adding or removing one moves those behind it, which for a million ids
 * takes a fraction of a millisecond.
 */
export class OrderedIds {
  #ids: Int32Array = new Int32Array(16);
  #length = 0;
  readonly #compare: Compare;

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns all ids without copying. Read them at once: later changes may be visible in it. */
  view(): Int32Array {
    return this.#ids.subarray(0, this.#length);
  }

  slice(from: number, to: number): Int32Array {
    return this.#ids.slice(from, Math.min(to, this.#length));
  }

  /** Returns how many ids come before a position in the order. */
  countBefore(compare: CompareWithPosition): number {
    return countBefore(this.#ids, this.#length, compare);
  }

  /** Replaces all ids with these, which must be sorted. */
  replace(ids: Int32Array): void {
    this.#ids = ids;
    this.#length = ids.length;
  }

  add(id: number): void {
    if (this.#length === this.#ids.length) {
      const larger = new Int32Array(2 * this.#length + 16);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    const index = this.#findIndex(id);
    this.#ids.copyWithin(index + 1, index, this.#length);
    this.#ids[index] = id;
    this.#length++;
  }

  /** Removes an id whose place in the order has not changed since it was added. */
  remove(id: number): void {
    const index = this.#findIndex(id);
    if (index === this.#length || this.#ids[index] !== id)
      throw new Error(`Invariant(OrderedIds): ${id} is not where it was added`);
    this.#ids.copyWithin(index, index + 1, this.#length);
    this.#length--;
  }

  #findIndex(id: number): number {
    return findInsertionIndex(id, this.#ids, this.#length, this.#compare);
  }
}
