import fc from "fast-check";
import { expect, test } from "vitest";
import { SelectedIds } from "./id-lists.ts";

const someIds = fc.uniqueArray(fc.nat(60), { maxLength: 40 });
/** The place of each id in an order, which changes. */
const keys = fc.array(fc.nat(9), { minLength: 61, maxLength: 61 });

test("ids that are removed and added again are in order, and all others stay", () => {
  fc.assert(
    fc.property(
      someIds,
      keys,
      fc.array(fc.tuple(someIds, someIds, keys), { minLength: 1, maxLength: 5 }),
      (first, firstKeys, steps) => {
        let now = firstKeys;
        const compare = (left: number, right: number) =>
          (now[left] as number) - (now[right] as number) || left - right;
        let expected = first.toSorted(compare);
        const selected = new SelectedIds(Int32Array.from(expected));
        for (const [changed, stay, next] of steps) {
          // Only changed ids have another place.
          now = now.map((key, id) => (changed.includes(id) ? (next[id] as number) : key));
          const more = changed.filter((id) => stay.includes(id));
          selected.change(changed, more, compare);
          expected = [...expected.filter((id) => !changed.includes(id)), ...more].toSorted(compare);
          expect([...selected.slice(0, selected.length)]).toEqual(expected);
        }
      },
    ),
  );
});

test("pages end where the ids do", () => {
  const selected = new SelectedIds(Int32Array.of(1, 2, 3, 4));
  selected.change([2, 3], [], (left, right) => left - right);
  expect([...selected.slice(0, 9)]).toEqual([1, 4]);
  expect([...selected.slice(1, 2)]).toEqual([4]);
});
