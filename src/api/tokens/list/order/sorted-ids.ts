/** Returns less than 0 if `left` comes before `right`. No two ids are equal. */
export type Compare = (left: number, right: number) => number;

/** Compares an id with a position in an order: less than 0 if the id comes before it. */
export type CompareWithPosition = (id: number) => number;

/** Returns how many of the first `length` ids, which are sorted, come before a position. */
export function countBefore(ids: Int32Array, length: number, compare: CompareWithPosition): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(ids[middle] as number) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns where an id is, or would be inserted, in the first `length` ids, which are sorted. */
export function findInsertionIndex(id: number, ids: Int32Array, length: number, compare: Compare): number {
  return countBefore(ids, length, (other) => compare(other, id));
}

/** From this many ids on, it is faster to scan all ids once than to search for each. */
const scanThreshold = 8;

/** Returns the positions of some of the ids, ascending. Leaves out those that are not there. */
export function findIndexes(some: ArrayLike<number>, ids: Int32Array): number[] {
  const places: number[] = [];
  if (some.length < scanThreshold) {
    for (let index = 0; index < some.length; index++) {
      // Searched from the end: tokens that change often are mostly the first of the list, which come last.
      const place = ids.lastIndexOf(some[index] as number);
      if (place !== -1) places.push(place);
    }
    return places.sort((left, right) => left - right);
  }
  const marks = toMarks(some, 1 + maxId(some));
  for (let place = 0; place < ids.length; place++) {
    if (marks[ids[place] as number] === 1) places.push(place);
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
    const id = all[index] as number;
    if (wanted[id] === 1) chosen[count++] = id;
  }
  // A copy, so that the cache does not retain the larger buffer.
  return chosen.slice(0, count);
}

/** Returns an array with 1 at each of the ids, and 0 elsewhere below `size`. */
export function toMarks(ids: ArrayLike<number>, size: number): Uint8Array {
  const marks = new Uint8Array(size);
  for (let index = 0; index < ids.length; index++) marks[ids[index] as number] = 1;
  return marks;
}

/** Returns the highest id, or 0 if there is none. */
export function maxId(ids: ArrayLike<number>): number {
  let found = 0;
  for (let index = 0; index < ids.length; index++) found = Math.max(found, ids[index] as number);
  return found;
}
