import type { ListOrder } from "./list-order.ts";
import type { ListView } from "./list-view.ts";
import { SelectedIds } from "./selected-ids.ts";
import { highest, intersect, marked } from "./sorted-ids.ts";

/** What an order, at one of its states, has of a view: of some matches, or all of it. Changed in place when the order has changed. */
export type Selection = { order: ListOrder; epoch: number; ids: SelectedIds };

/** With at least this many changes it is faster to select matches again; without a filter, with at least this share of the view. */
const manyChanges = 100;
const largeShare = 0.05;

export function selectAnew(order: ListOrder, view: ListView, sets: Int32Array[]): SelectedIds {
  return new SelectedIds(order.select(view, sets.length === 0 ? undefined : intersection(sets)));
}

/** Brings a selection up to date; undefined where it is faster to select anew. */
export function selectAgain(
  order: ListOrder,
  view: ListView,
  sets: Int32Array[],
  before: Selection | undefined,
): SelectedIds | undefined {
  if (before?.order !== order) return undefined;
  const changed = order.changedSince(before.epoch, view);
  const few = sets.length === 0 ? largeShare * before.ids.length : manyChanges;
  if (changed === undefined || changed.length >= few) return undefined;
  order.selectAgain(view, before.ids, changed, isInAll(sets));
  return before.ids;
}

/** The marks of sets that are searched, each for all selections of what it has. */
const marksOf = new WeakMap<Int32Array, Uint8Array>();

/** Tells of an id whether it is in all of the sets. */
function isInAll(sets: Int32Array[]): (id: number) => boolean {
  const all = sets.map((set) => {
    const marks = marksOf.get(set) ?? marked(set, 1 + highest(set));
    marksOf.set(set, marks);
    return marks;
  });
  return (id) => all.every((marks) => marks[id] === 1);
}

/** Those that are in all of the sets, in the order of the smallest. */
function intersection(sets: Int32Array[]): Int32Array {
  const [smallest = new Int32Array(), ...others] = sets.toSorted((left, right) => left.length - right.length);
  return others.reduce((ids, other) => intersect(ids, other, 1 + highest(ids)), smallest);
}
