import fc from "fast-check";
import { expect, test } from "vitest";
import { boards, sorts } from "./boards.ts";
import { type Change, ListOrder } from "./list-order.ts";

const chainId = 56;
const ids = 60;

const change = fc.record({
  id: fc.integer({ min: 1, max: ids }),
  isWritten: fc.boolean(),
  token: fc.option(
    fc.record({
      chainId: fc.constantFrom(chainId, 97),
      board: fc.integer({ min: 1, max: 3 }),
      burnPercent: fc.integer({ min: 30, max: 33 }),
      createdBlock: fc.nat(20),
      // No two logs are one.
      createdLogIndex: fc.constant(0),
    }),
    { nil: undefined },
  ),
});
/** What a reading brings: of each id one row. A token's place on the chain is its own. */
const reading = fc.uniqueArray(change, { selector: ({ id }) => id, maxLength: 12 }).map((changes) =>
  changes.map(
    ({ id, token, ...rest }): Change => ({
      ...rest,
      id,
      token: token === undefined ? undefined : { ...token, createdLogIndex: id },
    }),
  ),
);
/** What a search finds after a reading, of which only what was written can differ. */
const marks = fc.array(fc.boolean(), { minLength: ids + 1, maxLength: ids + 1 });

test("a selection that is brought up to date is what would be selected anew", () => {
  const view = fc.record({
    chainId: fc.constant(chainId),
    board: fc.constantFrom(...boards),
    sort: fc.constantFrom(...sorts),
  });
  fc.assert(
    fc.property(
      view,
      marks,
      fc.array(fc.tuple(reading, marks, fc.boolean()), { minLength: 1, maxLength: 12 }),
      (of, found, steps) => {
        const order = new ListOrder();
        const matching = [...found];
        const matches = () => Int32Array.from(matching.keys()).filter((id) => id > 0 && matching[id]);
        let epoch = order.epoch;
        let selected = order.select(of, matches());
        for (const [index, [changes, now, isLooked]] of steps.entries()) {
          for (const { id, isWritten } of changes) if (isWritten) matching[id] = now[id] === true;
          order.apply(changes, index);
          if (!isLooked) continue;
          const changed = order.changedSince(epoch);
          if (changed === undefined) throw new Error("forgotten");
          selected = order.selectAgain(of, selected, changed, (id) => matches().includes(id));
          epoch = order.epoch;
          expect([...selected]).toEqual([...order.select(of, matches())]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("what changed too long ago is not known", () => {
  const order = new ListOrder();
  const token = { chainId, board: 1, burnPercent: 30, createdBlock: 1, createdLogIndex: 1 };
  order.apply([{ id: 1, token, isWritten: false }], 1);
  const { epoch } = order;
  expect(order.changedSince(epoch)).toEqual([]);
  for (let count = 0; count < 1_000; count++) order.apply([{ id: 1, token, isWritten: true }], 1);
  expect(order.changedSince(epoch)).toBeUndefined();
  expect(order.changedSince(order.epoch - 1)).toEqual([1]);
});
