import { type Compare, placeOf, placesOf } from "./sorted-ids.ts";

/** Room for more, as a share of what there is. */
const spare = 1.01;

/**
 * What was selected, in an order, and changed in place from then on: a copy of a million ids for every change would be garbage of
 * 4 MB, which V8 collects with all other garbage.
 */
export class SelectedIds {
  #ids: Int32Array;
  #length: number;

  /** Takes ids that are in order. */
  constructor(ids: Int32Array) {
    this.#ids = ids;
    this.#length = ids.length;
  }

  get length(): number {
    return this.#length;
  }

  /** In memory. */
  get byteLength(): number {
    return this.#ids.byteLength;
  }

  slice(from: number, to: number): Int32Array {
    return this.#ids.slice(from, Math.min(to, this.#length));
  }

  /**
   * Takes some ids out, wherever they are, and puts those in that belong there now.
   *
   * @param out may have ids that are not there
   * @param more are not there, or are taken out
   */
  change(out: number[], more: number[], compare: Compare): void {
    this.#remove(placesOf(out, this.#ids.subarray(0, this.#length)));
    if (more.length > 0) this.#insert(more.toSorted(compare), compare);
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
      const larger = new Int32Array(Math.ceil(spare * length) + 16);
      larger.set(this.#ids.subarray(0, this.#length));
      this.#ids = larger;
    }
    let end = this.#length;
    for (let index = more.length - 1; index >= 0; index--) {
      const id = more[index] as number;
      const place = placeOf(id, this.#ids, end, compare);
      this.#ids.copyWithin(place + index + 1, place, end);
      this.#ids[place + index] = id;
      end = place;
    }
    this.#length = length;
  }
}
