import { endianness } from "node:os";
import type { Compare } from "./id-lists.ts";

/** A sort key: a non-negative number for each id. */
export type Keys = Uint8Array | Uint32Array | Float32Array | Float64Array;

/*
 * Large arrays are read by index: an iterator takes several times as long. No index is beyond the end, so `?? 0`, which the compiler
 * asks for, costs nothing and never applies.
 */

/** The positions in memory of a Float64's 16-bit parts, from the least to the most significant. */
const parts = endianness() === "LE" ? [0, 1, 2, 3] : [3, 2, 1, 0];
const partValues = 2 ** 16;

/** Fewer ids are sorted faster by comparison. */
const radixThreshold = 5_000;

/**
 * Sorts ids by their keys, lowest first. Stable: ids with equal keys stay in order. A radix sort, which works because the bits of
 * non-negative Float64 numbers sort like the numbers: a million ids take less than 100 ms, where a comparison sort would block the
 * event loop several times as long.
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
  const { length } = ids;
  let from: { ids: Int32Array; values: Float64Array } = { ids, values: new Float64Array(length) };
  for (let index = 0; index < length; index++) from.values[index] = key[ids[index] ?? 0] ?? 0;
  let to: typeof from = { ids: new Int32Array(length), values: new Float64Array(length) };
  for (const part of parts) {
    const bits = new Uint16Array(from.values.buffer);
    const places = findStarts(bits, part);
    if (places === undefined) continue;
    for (let index = 0; index < length; index++) {
      const value = bits[4 * index + part] ?? 0;
      const place = places[value] ?? 0;
      places[value] = place + 1;
      to.ids[place] = from.ids[index] ?? 0;
      to.values[place] = from.values[index] ?? 0;
    }
    [from, to] = [to, from.ids === ids ? { ids: new Int32Array(length), values: from.values } : from];
  }
  return from.ids;
}

/** Returns where the first number with each value of the part goes, or undefined if all have the same value and nothing moves. */
function findStarts(bits: Uint16Array, part: number): Uint32Array | undefined {
  const counts = new Uint32Array(partValues);
  for (let index = part; index < bits.length; index += 4) {
    const value = bits[index] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  if (counts[bits[part] ?? 0] === bits.length / 4) return undefined;
  let place = 0;
  for (let value = 0; value < partValues; value++) {
    const count = counts[value] ?? 0;
    counts[value] = place;
    place += count;
  }
  return counts;
}

type Values = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Copies values into a larger array, and returns that. */
export function copyInto<Larger extends Values>(larger: Larger, values: Larger): Larger {
  larger.set(values);
  return larger;
}
