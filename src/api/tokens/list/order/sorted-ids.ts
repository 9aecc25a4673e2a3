/** Less than 0 when `left` comes before `right`. No two ids are equal. */
export type Compare = (left: number, right: number) => number;

/** Where in the first `length` ids, which are in order, an id is or would be. */
export function placeOf(id: number, ids: Int32Array, length: number, compare: Compare): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(ids[middle] as number, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** With at least this many it is faster to scan all ids once than to search for each. */
const several = 8;

/** Where some of the ids are, in ascending order. Those that are not there have no place. */
export function placesOf(some: ArrayLike<number>, ids: Int32Array): number[] {
  const places: number[] = [];
  if (some.length < several) {
    for (let index = 0; index < some.length; index++) {
      // What changes often is among the first of most orders, which come last.
      const place = ids.lastIndexOf(some[index] as number);
      if (place !== -1) places.push(place);
    }
    return places.sort((left, right) => left - right);
  }
  const marks = marked(some, 1 + highest(some));
  for (let place = 0; place < ids.length; place++) {
    if (marks[ids[place] as number] === 1) places.push(place);
  }
  return places;
}

/** The ids without some. The same array where none of them is in it. */
export function without(ids: Int32Array, some: ArrayLike<number>): Int32Array {
  const places = placesOf(some, ids);
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

/** Those of `all` that are among `ids`, in the order of `all`. `size`: above every id of `all`. */
export function intersect(all: Int32Array, ids: Int32Array, size: number): Int32Array {
  const wanted = marked(ids, size);
  const chosen = new Int32Array(Math.min(all.length, ids.length));
  let count = 0;
  for (let index = 0; index < all.length; index++) {
    const id = all[index] as number;
    if (wanted[id] === 1) chosen[count++] = id;
  }
  // A copy, so that the cache does not retain the larger buffer.
  return chosen.slice(0, count);
}

/** For each id below `size`, 1 where it is one of these. */
export function marked(ids: ArrayLike<number>, size: number): Uint8Array {
  const marks = new Uint8Array(size);
  for (let index = 0; index < ids.length; index++) marks[ids[index] as number] = 1;
  return marks;
}

/** The highest of some ids, 0 of none. */
export function highest(ids: ArrayLike<number>): number {
  let found = 0;
  for (let index = 0; index < ids.length; index++) found = Math.max(found, ids[index] as number);
  return found;
}
