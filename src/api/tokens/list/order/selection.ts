import type { ListOrder } from "./list-order.ts";
import type { ListView } from "./list-view.ts";
import { SelectedIds } from "./selected-ids.ts";
import { intersect, maxId, toMarks } from "./sorted-ids.ts";

/** The ids of a view, or of those that match some filters, as of an epoch of an order. Updated in place when the order changes. */
export type Selection = { order: ListOrder; epoch: number; ids: SelectedIds };

/** From this many changes on, it is faster to select from scratch. */
const maxChanges = 100;
/** The same without a filter, as a share of the view. */
const maxChangedShare = 0.05;

export function selectFromScratch(order: ListOrder, view: ListView, sets: Int32Array[]): SelectedIds {
  return new SelectedIds(order.select(view, sets.length === 0 ? undefined : intersection(sets)));
}

/** Updates a selection in place. Returns undefined if it is faster to select from scratch. */
export function updateSelection(
  order: ListOrder,
  view: ListView,
  sets: Int32Array[],
  before: Selection | undefined,
): SelectedIds | undefined {
  if (before?.order !== order) return undefined;
  const changed = order.changedSince(before.epoch, view);
  const limit = sets.length === 0 ? maxChangedShare * before.ids.length : maxChanges;
  if (changed === undefined || changed.length >= limit) return undefined;
  order.updateSelection(view, before.ids, changed, isInAll(sets));
  return before.ids;
}

/** The marks of each set, shared by all selections that use the set. */
const marksBySet = new WeakMap<Int32Array, Uint8Array>();

/** Returns a function that checks whether an id is in all of the sets. */
function isInAll(sets: Int32Array[]): (id: number) => boolean {
  const all = sets.map((set) => {
    const marks = marksBySet.get(set) ?? toMarks(set, 1 + maxId(set));
    marksBySet.set(set, marks);
    return marks;
  });
  return (id) => all.every((marks) => marks[id] === 1);
}

/** Returns the ids that are in all of the sets, in the order of the smallest. */
function intersection(sets: Int32Array[]): Int32Array {
  const [smallest = new Int32Array(), ...others] = sets.toSorted((left, right) => left.length - right.length);
  return others.reduce((ids, other) => intersect(ids, other, 1 + maxId(ids)), smallest);
}
