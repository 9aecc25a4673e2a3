import { type Compare, placeOf } from "./sorted-ids.ts";

/**
 * Ids in an order, by position: the n-th is read at once, however long the list. Adding or removing one moves what
 * is behind it, which for a million ids takes a fraction of a millisecond.
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

  /** All of them, to read at once: later changes may show in it. */
  view(): Int32Array {
    return this.#ids.subarray(0, this.#length);
  }

  slice(from: number, to: number): Int32Array {
    return this.#ids.slice(from, Math.min(to, this.#length));
  }

  /** Takes these ids in place of all. They must be in order. */
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
    const index = this.#placeOf(id);
    this.#ids.copyWithin(index + 1, index, this.#length);
    this.#ids[index] = id;
    this.#length++;
  }

  /** Removes an id whose place in the order has not changed since it was added. */
  remove(id: number): void {
    const index = this.#placeOf(id);
    if (index === this.#length || this.#ids[index] !== id)
      throw new Error(`Invariant(OrderedIds): ${id} is not where it was put`);
    this.#ids.copyWithin(index, index + 1, this.#length);
    this.#length--;
  }

  #placeOf(id: number): number {
    return placeOf(id, this.#ids, this.#length, this.#compare);
  }
}
