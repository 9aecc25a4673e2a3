import { expect, test } from "vitest";
import { EntryChanges } from "./entry-changes.ts";

const chains = new Map();

/** Four tokens, of two creators. */
function fourTokens(): EntryChanges {
  const changes = new EntryChanges();
  for (const [id, creator] of [7, 7, -8, -8].entries()) changes.setCreator(id, creator);
  changes.record({ ids: [], creators: [], chains });
  return changes;
}

const changedSince = (changes: EntryChanges, look: number) =>
  [0, 1, 2, 3].filter((id) => changes.hasChanged(id, look));

test("a sync's changes count only for those who read before it", () => {
  const changes = fourTokens();
  const before = changes.syncCount;
  changes.record({ ids: [1], creators: [], chains });
  const between = changes.syncCount;
  changes.record({ ids: [3], creators: [], chains });
  expect(changedSince(changes, before)).toEqual([1, 3]);
  expect(changedSince(changes, between)).toEqual([3]);
  expect(changedSince(changes, changes.syncCount)).toEqual([]);
});

test("with a creator's record, all of the creator's tokens change", () => {
  const changes = fourTokens();
  const before = changes.syncCount;
  changes.record({ ids: [], creators: [-8], chains });
  expect(changedSince(changes, before)).toEqual([2, 3]);
  expect(changedSince(changes, changes.syncCount)).toEqual([]);
});

test("a token that no sync has found counts as changed", () => {
  const changes = fourTokens();
  expect(changes.hasChanged(1_000_000, changes.syncCount)).toBe(true);
});

test("after more creators than are remembered, everything counts as changed once", () => {
  const changes = fourTokens();
  const before = changes.syncCount;
  changes.record({ ids: [], creators: Array.from({ length: 100_001 }, (_, hash) => hash + 100), chains });
  expect(changedSince(changes, before)).toEqual([0, 1, 2, 3]);
  expect(changedSince(changes, changes.syncCount)).toEqual([]);
});
