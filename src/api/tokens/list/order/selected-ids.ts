import {
  type Compare,
  type CompareWithPosition,
  countBefore,
  findIndexes,
  findInsertionIndex,
} from "./sorted-ids.ts";

/** How much larger than needed a grown array is, as a factor. */
const growth = 1.01;

/**
 * Selected ids in an order, updated in place: copying a million ids for every change would make 4 MB of garbage each time.
 */
export class SelectedIds {
  #ids: Int32Array;
  #length: number;

  /** @param ids must be sorted */
  constructor(ids: Int32Array) {
    this.#ids = ids;
    this.#length = ids.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes in memory. */
  get byteLength(): number {
    return this.#ids.byteLength;
  }

  slice(from: number, to: number): Int32Array {
    return this.#ids.slice(from, Math.min(to, this.#length));
  }

  /** Returns how many ids come before a position in their order. */
  countBefore(compare: CompareWithPosition): number {
    return countBefore(this.#ids, this.#length, compare);
  }

  /**
   * Removes some ids, wherever they are, and inserts others in order.
   *
   * @param removed may include ids that are not there
   * @param added must not be there, unless they are also removed
   */
  change(removed: number[], added: number[], compare: Compare): void {
    this.#remove(findIndexes(removed, this.#ids.subarray(0, this.#length)));
    if (added.length > 0) this.#insert(added.toSorted(compare), compare);
  }

  #remove(places: number[]): void {
    for (const [index, place] of places.entries()) {
      this.#ids.copyWithin(place - index, place + 1, places[index + 1] ?? this.#length);
    }
    this.#length -= places.length;
  }

  #insert(more: number[], compare: Compare): void {
    const length = this.#length + more.length;
    if (length > this.#ids.length) {
      const larger = new Int32Array(Math.ceil(growth * length) + 16);
      larger.set(this.#ids.subarray(0, this.#length));
      this.#ids = larger;
    }
    let end = this.#length;
    for (let index = more.length - 1; index >= 0; index--) {
      const id = more[index] as number;
      const place = findInsertionIndex(id, this.#ids, end, compare);
      this.#ids.copyWithin(place + index + 1, place, end);
      this.#ids[place + index] = id;
      end = place;
    }
    this.#length = length;
  }
}
