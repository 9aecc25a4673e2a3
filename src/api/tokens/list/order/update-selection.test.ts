import fc from "fast-check";
import { expect, test } from "vitest";
import { noActivity } from "./activity-table.ts";
import type { Conditions } from "./conditions.ts";
import { SelectedIds } from "./id-lists.ts";
import { boards, type ListPosition, type ListView, type Order, orders } from "./sorts.ts";
import { type ActivityChange, type Change, TokenIndex } from "./token-index.ts";

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
      progress: fc.integer({ min: 0, max: 3 }),
      graduatedAt: fc.integer({ min: 0, max: 3 }),
      holders: fc.integer({ min: 0, max: 3 }),
      marketCap: fc.integer({ min: 0, max: 3 }),
      creatorPercent: fc.integer({ min: 0, max: 3 }),
      insiderPercent: fc.integer({ min: 0, max: 3 }),
      sniperPercent: fc.integer({ min: 0, max: 3 }),
      bundlerPercent: fc.integer({ min: 0, max: 3 }),
      creatorBuysPercent: fc.integer({ min: 0, max: 3 }),
      openingBuysPercent: fc.integer({ min: 0, max: 3 }),
      netVolume: fc.integer({ min: 0, max: 3 }),
      verified: fc.boolean(),
      selfGraduated: fc.boolean(),
    }),
    { nil: undefined },
  ),
});
/** The rows of one read, at most one for each id. No two tokens share a place on the chain. */
const reading = fc.uniqueArray(change, { selector: ({ id }) => id, maxLength: 12 }).map((changes) =>
  changes.map(
    ({ id, token, ...rest }): Change => ({
      ...rest,
      id,
      token: token === undefined ? undefined : { ...token, createdLogIndex: id },
    }),
  ),
);
const changeOfPrice = fc.constantFrom(0, 0.5, 1, 2);
const activity = fc.record({
  volume: fc.nat(3),
  trades: fc.nat(3),
  traders: fc.nat(3),
  trending: fc.nat(3),
  change: fc.record({ "1h": changeOfPrice, "6h": changeOfPrice, "24h": changeOfPrice }),
});
const traded: fc.Arbitrary<ActivityChange[]> = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: ids }), activity }),
  { selector: ({ id }) => id, maxLength: 12 },
);
/** The matches of a search after a read. They only differ in registrations that were written. */
const marks = fc.array(fc.boolean(), { minLength: ids + 1, maxLength: ids + 1 });
const view = fc.record({
  chainId: fc.constant(chainId),
  board: fc.constantFrom(...boards),
  order: fc.constantFrom(...orders),
  conditions: fc.record(
    {
      minVolume: fc.nat(3),
      minTraders: fc.nat(3),
      minHolders: fc.nat(3),
      maxCreatorPercent: fc.nat(3),
      maxInsiderPercent: fc.nat(3),
      maxSniperPercent: fc.nat(3),
      maxBundlerPercent: fc.nat(3),
      maxCreatorBuysPercent: fc.nat(3),
      maxOpeningBuysPercent: fc.nat(3),
      minNetVolume: fc.nat(3),
      verified: fc.constant(true as const),
      selfGraduated: fc.constant(false as const),
    },
    { requiredKeys: [] },
  ),
});

const contentOf = (ids: SelectedIds) => [...ids.slice(0, ids.length)];

test("an updated selection equals one made from scratch", () => {
  fc.assert(
    fc.property(
      view,
      marks,
      fc.array(fc.tuple(reading, traded, marks, fc.boolean()), { minLength: 1, maxLength: 12 }),
      (of, found, steps) => {
        const order = new TokenIndex();
        const matching = [...found];
        const matches = () => Int32Array.from(matching.keys()).filter((id) => id > 0 && matching[id]);
        let epoch = order.epoch;
        const selected = new SelectedIds(order.select(of, matches()));
        const all = new SelectedIds(order.select(of));
        for (const [index, [changes, activities, now, isLooked]] of steps.entries()) {
          for (const { id, isWritten } of changes) if (isWritten) matching[id] = now[id] === true;
          order.apply(changes, index);
          order.applyActivity(activities);
          if (!isLooked) continue;
          const changed = order.changedSince(epoch, of);
          if (changed === undefined) throw new Error("forgotten");
          order.updateSelection(of, selected, changed, (id) => matches().includes(id));
          order.updateSelection(of, all, changed, () => true);
          epoch = order.epoch;
          expect(contentOf(selected)).toEqual([...order.select(of, matches())]);
          expect(contentOf(all)).toEqual([...order.select(of)]);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("walking from position to position finds every token that stays in place once, and in order", () => {
  const step = fc.tuple(reading, traded);
  fc.assert(
    fc.property(
      view,
      fc.array(step, { minLength: 3, maxLength: 6 }),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (of, before, during, limit) => {
        const order = new TokenIndex();
        const change = ([changes, activities]: [Change[], ActivityChange[]]) => {
          order.apply(changes, 1);
          order.applyActivity(activities);
        };
        const positions = () =>
          new Map([...order.select(of)].map((id) => [id, JSON.stringify(order.position(of.order, id))]));
        for (const changes of before) change(changes);

        const staying = positions();
        const seen: number[] = [];
        const steps = during.values();
        let after: ListPosition | undefined;
        for (;;) {
          const selected = new SelectedIds(order.select(of));
          const end =
            after === undefined ? selected.length : selected.countBefore(order.compareWith(of.order, after));
          const page = selected.slice(Math.max(0, end - limit), end).reverse();
          const last = page.at(-1);
          if (last === undefined) break;
          seen.push(...page);
          if (seen.length > 20 * ids) throw new Error("endless");
          after = order.position(of.order, last);
          const { value: changes } = steps.next();
          if (changes !== undefined) change(changes);
          const now = positions();
          for (const [id, position] of staying) if (now.get(id) !== position) staying.delete(id);
        }
        const stays = (id: number) => staying.has(id);
        expect(seen.filter(stays)).toEqual([...order.select(of)].reverse().filter(stays));
      },
    ),
    { numRuns: 500 },
  );
});

const token = {
  chainId,
  board: 1,
  burnPercent: 30,
  createdBlock: 1,
  createdLogIndex: 1,
  progress: 1,
  holders: 1,
  marketCap: 1,
  creatorPercent: 1,
  insiderPercent: 1,
  sniperPercent: 1,
  bundlerPercent: 1,
  creatorBuysPercent: 1,
  openingBuysPercent: 1,
  netVolume: 1,
  graduatedAt: 0,
  verified: false,
  selfGraduated: false,
};

const viewBy = (order: Order): ListView => ({ chainId, board: "all", order });
/** The orders in which one token may have moved. */
const movedIn = (list: TokenIndex, epoch: number) =>
  orders.filter((order) => list.changedSince(epoch, viewBy(order))?.length === 1);

test("changes from too long ago are not remembered", () => {
  const order = new TokenIndex();
  order.apply([{ id: 1, token, isWritten: false }], 1);
  const { epoch } = order;
  expect(order.changedSince(epoch, viewBy("newest"))).toEqual([]);
  for (let count = 0; count < 1_000; count++) order.apply([{ id: 1, token, isWritten: true }], 1);
  expect(order.changedSince(epoch, viewBy("newest"))).toBeUndefined();
  expect(order.changedSince(order.epoch - 1, viewBy("newest"))).toEqual([1]);
});

test.each<[string, Partial<typeof token>, Order[]]>([
  ["nothing", {}, []],
  ["a burned share", { burnPercent: 31 }, [...orders]],
  ["a board", { board: 2 }, [...orders]],
  ["progress", { progress: 1.0001 }, ["progress"]],
  ["holders", { holders: 2 }, ["holders"]],
  ["market cap", { marketCap: 1.0000001 }, ["marketcap"]],
])("another %s changes places in the orders by it alone", (_, changed, affected) => {
  const order = new TokenIndex();
  order.apply([{ id: 1, token, isWritten: false }], 1);
  const { epoch } = order;
  order.apply([{ id: 1, token: { ...token, ...changed }, isWritten: false }], 1);
  expect(movedIn(order, epoch)).toEqual(affected);
});

test.each<[string, object, Order[]]>([
  ["volume", { volume: 2 }, ["volume", "trending"]],
  ["number of trades", { trades: 2 }, ["trades"]],
  ["number of traders", { traders: 2 }, []],
  ["score", { trending: 2 }, ["trending"]],
  ["price", { change: { "1h": 1, "6h": 2, "24h": 0 } }, ["gainers 6h", "losers 6h"]],
])("another %s changes places in the orders by it alone", (_, changed, affected) => {
  const order = new TokenIndex();
  const before = { volume: 1, trades: 1, traders: 1, trending: 1, change: { "1h": 1, "6h": 1, "24h": 0 } };
  order.apply([{ id: 1, token, isWritten: false }], 1);
  order.applyActivity([{ id: 1, activity: before }]);
  const { epoch } = order;
  order.applyActivity([{ id: 1, activity: { ...before, ...changed } }]);
  expect(movedIn(order, epoch)).toEqual(affected);
});

test("a change of a condition's property only affects views with that condition", () => {
  const order = new TokenIndex();
  order.apply([{ id: 1, token, isWritten: false }], 1);
  const { epoch } = order;
  order.apply([{ id: 1, token: { ...token, creatorPercent: 2 }, isWritten: false }], 1);
  const changedFor = (conditions: Conditions) =>
    order.changedSince(epoch, { ...viewBy("newest"), conditions });
  expect(changedFor({ maxCreatorPercent: 1 })).toEqual([1]);
  expect(changedFor({ minHolders: 1, minVolume: 1, maxInsiderPercent: 1, verified: true })).toEqual([]);
  for (const [condition, share] of [
    ["maxInsiderPercent", "insiderPercent"],
    ["maxSniperPercent", "sniperPercent"],
    ["maxBundlerPercent", "bundlerPercent"],
    ["maxCreatorBuysPercent", "creatorBuysPercent"],
    ["maxOpeningBuysPercent", "openingBuysPercent"],
    ["minNetVolume", "netVolume"],
  ] as const) {
    const { epoch } = order;
    const changed = () => order.changedSince(epoch, { ...viewBy("newest"), conditions: { [condition]: 1 } });
    expect(changed()).toEqual([]);
    order.apply([{ id: 1, token: { ...token, creatorPercent: 2, [share]: 2 }, isWritten: false }], 1);
    expect(changed()).toEqual([1]);
  }
  expect(changedFor({ minTraders: 1 })).toEqual([]);
  order.applyActivity([{ id: 1, activity: { ...noActivity, traders: 2 } }]);
  expect(changedFor({ minTraders: 1 })).toEqual([1]);
});
