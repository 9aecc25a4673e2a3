import { endianness } from "node:os";
import type { Compare } from "./id-lists.ts";

/** A sort key: a non-negative number for each id. */
export type Keys = Uint8Array | Uint32Array | Float32Array | Float64Array;

/*
 * Large arrays are read by index: an iterator takes several times as long. No index is beyond the end, so `?? 0`, which the compiler
 * asks for, costs nothing and never applies.
 */

/** The number of values of a 16-bit part of a key. */
const partValues = 2 ** 16;
/** Where the next id with each value goes. Shared by all sorts, of which one runs at a time. */
const places = new Uint32Array(partValues);

/** Fewer ids are sorted faster by comparison. */
const radixThreshold = 5_000;

/**
 * Sorts ids by their keys, lowest first. Stable: ids with equal keys stay in order. A radix sort, which works because the bits of
 * non-negative floating-point numbers sort like the numbers: a million ids take less than 100 ms, where a comparison sort would block
 * the event loop several times as long. Keys are read where they are: copies would keep the garbage collector busy.
 *
 * @param keys the most significant first
 */
export function sortByKeys(ids: Int32Array, keys: Keys[]): Int32Array {
  const { zero, other } = split(ids, keys);
  let rest = other;
  if (rest.length < radixThreshold) rest.sort(compareBy(keys));
  else for (const key of keys.toReversed()) rest = sortByKey(rest, key);
  const sorted = new Int32Array(ids.length);
  sorted.set(zero);
  sorted.set(rest, zero.length);
  return sorted;
}

/** Returns the ids with a key that is not 0, in the same order. */
export const withNonZeroKey = (ids: Int32Array, keys: Keys[]): Int32Array => split(ids, keys).other.slice();

/** Compares by each key in turn; 0 if all are equal. */
export function compareBy(keys: Keys[]): Compare {
  return (left, right) => {
    for (const key of keys) {
      const difference = (key[left] ?? 0) - (key[right] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Most tokens have no trade in a day, and ids whose keys are all 0 need no sorting. */
function split(ids: Int32Array, keys: Keys[]): { zero: Int32Array; other: Int32Array } {
  const zero = new Int32Array(ids.length);
  const other = new Int32Array(ids.length);
  let zeros = 0;
  let others = 0;
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index] ?? 0;
    let isZero = true;
    for (let place = 0; place < keys.length; place++) isZero &&= keys[place]?.[id] === 0;
    if (isZero) zero[zeros++] = id;
    else other[others++] = id;
  }
  return { zero: zero.subarray(0, zeros), other: other.subarray(0, others) };
}

function sortByKey(ids: Int32Array, key: Keys): Int32Array {
  const bits = key instanceof Uint8Array ? new Uint16Array(key) : new Uint16Array(key.buffer, key.byteOffset);
  const parts = key instanceof Uint8Array ? 1 : key.BYTES_PER_ELEMENT / 2;
  let [from, to]: [Int32Array, Int32Array] = [ids, new Int32Array(ids.length)];
  for (let index = 0; index < parts; index++) {
    // From the least to the most significant.
    const part = endianness() === "LE" ? index : parts - 1 - index;
    if (!findPlaces(from, bits, parts, part)) continue;
    for (let at = 0; at < from.length; at++) {
      const id = from[at] ?? 0;
      const value = bits[parts * id + part] ?? 0;
      const place = places[value] ?? 0;
      places[value] = place + 1;
      to[place] = id;
    }
    [from, to] = [to, from === ids ? new Int32Array(ids.length) : from];
  }
  return from;
}

/** Finds where the first id with each value of the part goes. Returns false if all have the same value and nothing moves. */
function findPlaces(ids: Int32Array, bits: Uint16Array, parts: number, part: number): boolean {
  places.fill(0);
  for (let at = 0; at < ids.length; at++) {
    const value = bits[parts * (ids[at] ?? 0) + part] ?? 0;
    places[value] = (places[value] ?? 0) + 1;
  }
  if (places[bits[parts * (ids[0] ?? 0) + part] ?? 0] === ids.length) return false;
  let place = 0;
  for (let value = 0; value < partValues; value++) {
    const count = places[value] ?? 0;
    places[value] = place;
    place += count;
  }
  return true;
}

type Values = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Copies values into a larger array, and returns that. */
export function copyInto<Larger extends Values>(larger: Larger, values: Larger): Larger {
  larger.set(values);
  return larger;
}
