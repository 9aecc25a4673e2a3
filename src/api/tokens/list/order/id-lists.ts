/*
 * Large arrays are read by index: an iterator takes several times as long. No index is beyond the end, so `?? 0`, which the compiler
 * asks for, costs nothing and never applies.
 */

/** Returns less than 0 if `left` comes before `right`. No two ids are equal. */
export type Compare = (left: number, right: number) => number;

/** Compares an id with a position in an order: less than 0 if the id comes before it. */
export type CompareWithPosition = (id: number) => number;

/** Returns how many of the first `length` ids, which are sorted, come before a position. */
function countBefore(ids: Int32Array, length: number, compare: CompareWithPosition): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const id = ids[middle];
    if (id !== undefined && compare(id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns where an id is, or would be inserted, in the first `length` ids, which are sorted. */
function findInsertionIndex(id: number, ids: Int32Array, length: number, compare: Compare): number {
  return countBefore(ids, length, (other) => compare(other, id));
}

/** From this many ids on, it is faster to scan all ids once than to search for each. */
const scanThreshold = 8;

/** Returns the positions of some of the ids, ascending. Leaves out those that are not there. */
function findIndexes(some: ArrayLike<number>, ids: Int32Array): number[] {
  const places: number[] = [];
  if (some.length < scanThreshold) {
    for (const id of Array.from(some)) {
      // Searched from the end: tokens that change often are mostly the first of the list, which come last.
      const place = ids.lastIndexOf(id);
      if (place !== -1) places.push(place);
    }
    return places.sort((left, right) => left - right);
  }
  const marks = toMarks(some, 1 + maxId(some));
  for (let place = 0; place < ids.length; place++) {
    if (marks[ids[place] ?? 0] === 1) places.push(place);
  }
  return places;
}

/** Returns the ids without some of them, or the same array if none of those are in it. */
export function without(ids: Int32Array, some: ArrayLike<number>): Int32Array {
  const places = findIndexes(some, ids);
  if (places.length === 0) return ids;
  const left = new Int32Array(ids.length - places.length);
  let from = 0;
  for (const [count, place] of places.entries()) {
    left.set(ids.subarray(from, place), from - count);
    from = place + 1;
  }
  left.set(ids.subarray(from), from - places.length);
  return left;
}

/** Returns those of `all` that are among `ids`, in the order of `all`. `size` must be greater than every id of `all`. */
export function intersect(all: Int32Array, ids: Int32Array, size: number): Int32Array {
  const wanted = toMarks(ids, size);
  const chosen = new Int32Array(Math.min(all.length, ids.length));
  let count = 0;
  for (let index = 0; index < all.length; index++) {
    const id = all[index] ?? 0;
    if (wanted[id] === 1) chosen[count++] = id;
  }
  // A copy, so that the cache does not retain the larger buffer.
  return chosen.slice(0, count);
}

/** Returns an array with 1 at each of the ids, and 0 elsewhere below `size`. */
export function toMarks(ids: ArrayLike<number>, size: number): Uint8Array {
  const marks = new Uint8Array(size);
  for (let index = 0; index < ids.length; index++) marks[ids[index] ?? 0] = 1;
  return marks;
}

/** Returns the highest id, or 0 if there is none. */
export function maxId(ids: ArrayLike<number>): number {
  let highest = 0;
  for (let index = 0; index < ids.length; index++) highest = Math.max(highest, ids[index] ?? 0);
  return highest;
}

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
      const id = more[index] ?? 0;
      const place = findInsertionIndex(id, this.#ids, end, compare);
      this.#ids.copyWithin(place + index + 1, place, end);
      this.#ids[place + index] = id;
      end = place;
    }
    this.#length = length;
  }
}
