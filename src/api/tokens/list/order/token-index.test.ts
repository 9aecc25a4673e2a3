import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../../../test/run/long-run.ts";
import { type Activity, noActivity } from "./activity-table.ts";
import type { Conditions } from "./conditions.ts";
import { bytesPerToken, type ListedToken } from "./entry-table.ts";
import { SelectedIds } from "./id-lists.ts";
import {
  boards,
  isMoverOrder,
  isStanding,
  type ListView,
  type Order,
  orders,
  splitMoverOrder,
} from "./sorts.ts";
import { type ActivityChange, type Change, TokenIndex } from "./token-index.ts";

const chains = [56, 97];
const views: ListView[] = chains.flatMap((chainId) =>
  boards.flatMap((board) => orders.map((order) => ({ chainId, board, order }))),
);

type Keys = (token: ListedToken, activity: Activity) => number[];

/** The values that each order compares before creation. */
const keysOf: Record<Order, Keys> = {
  newest: () => [],
  burn: ({ burnPercent }) => [burnPercent],
  volume: (_, { volume }) => [volume],
  trades: (_, { trades }) => [trades],
  progress: ({ progress }) => [progress],
  graduated: ({ graduatedAt }) => [graduatedAt],
  holders: ({ holders }) => [holders],
  marketcap: ({ marketCap }) => [marketCap],
  trending: (_, { trending, volume }) => [trending, volume],
  "gainers 1h": (_, { change }) => [change["1h"]],
  "gainers 6h": (_, { change }) => [change["6h"]],
  "gainers 24h": (_, { change }) => [change["24h"]],
  "losers 1h": (_, { change }) => [-change["1h"]],
  "losers 6h": (_, { change }) => [-change["6h"]],
  "losers 24h": (_, { change }) => [-change["24h"]],
};

/** A naive reference: filters and sorts the whole list for each query. */
class NaiveList {
  readonly #tokens = new Map<number, ListedToken>();
  readonly #activity = new Map<number, Activity>();

  apply(changes: Change[]): void {
    for (const { id, token } of changes) {
      if (token === undefined) this.#tokens.delete(id);
      else this.#tokens.set(id, token);
    }
  }

  applyActivity(changes: ActivityChange[]): void {
    for (const { id, activity } of changes) this.#activity.set(id, activity);
  }

  ids({ chainId, board, order, conditions = {} }: ListView, among?: Set<number>): number[] {
    const { minVolume = 0, minTraders = 0, minHolders = 0 } = conditions;
    const { maxCreatorPercent = 100, maxInsiderPercent = 100 } = conditions;
    const { maxCreatorBuysPercent = 100, maxOpeningBuysPercent = 100, minNetVolume = 0 } = conditions;
    const { maxSniperPercent = 100, maxBundlerPercent = 100, verified = false, selfGraduated } = conditions;
    const part = isMoverOrder(order) ? splitMoverOrder(order)[1] : undefined;
    const keys = keysOf[order];
    const ranked: { id: number; keys: number[] }[] = [];
    // One loop, since this runs hundreds of thousands of times.
    for (const [id, token] of this.#tokens) {
      if (token.chainId !== chainId || (board !== "all" && boards[token.board] !== board)) continue;
      if (among?.has(id) === false) continue;
      const activity = this.#activity.get(id) ?? noActivity;
      if (part !== undefined && activity.change[part] <= 0) continue;
      if (activity.volume < minVolume || activity.traders < minTraders) continue;
      if (token.holders < minHolders) continue;
      if (token.insiderPercent > maxInsiderPercent || token.sniperPercent > maxSniperPercent) continue;
      if (token.bundlerPercent > maxBundlerPercent || token.netVolume < minNetVolume) continue;
      if (token.creatorBuysPercent > maxCreatorBuysPercent) continue;
      if (token.openingBuysPercent > maxOpeningBuysPercent) continue;
      if (selfGraduated === false && token.selfGraduated) continue;
      if (token.creatorPercent > maxCreatorPercent || (verified && !token.verified)) continue;
      ranked.push({ id, keys: [...keys(token, activity), token.createdBlock, token.createdLogIndex] });
    }
    const difference = (left: number[], right: number[]) => {
      let place = 0;
      while (place < right.length && right[place] === left[place]) place++;
      return place === right.length ? 0 : (right[place] as number) - (left[place] as number);
    };
    return ranked.sort((left, right) => difference(left.keys, right.keys)).map(({ id }) => id);
  }

  /** Whether no two tokens were created by the same log, as on a real chain. */
  isPossible(): boolean {
    const places = [...this.#tokens.values()].map(
      ({ chainId, createdBlock, createdLogIndex }) => `${chainId} ${createdBlock} ${createdLogIndex}`,
    );
    return new Set(places).size === places.length;
  }

  copy(): NaiveList {
    const copy = new NaiveList();
    copy.apply([...this.#tokens].map(([id, token]) => ({ id, token, isWritten: false })));
    copy.applyActivity([...this.#activity].map(([id, activity]) => ({ id, activity })));
    return copy;
  }
}

const firstOfListFirst = (ids: { length: number; slice(from: number, to: number): Int32Array }) => [
  ...ids.slice(0, ids.length).reverse(),
];

/** Compares hundreds of thousands of times in this file, for which `toEqual` would take longer than the code under test. */
function expectSame(found: number[], expected: number[]): void {
  const isSame = found.length === expected.length && found.every((id, index) => id === expected[index]);
  if (!isSame) expect(found).toEqual(expected);
}

function expectEqual(list: TokenIndex, naive: NaiveList, conditions: Conditions = {}): void {
  for (const view of views) {
    const { chainId, board, order } = view;
    const expected = naive.ids(view);
    if (isStanding(order)) expectSame(firstOfListFirst(list.ids({ chainId, board, order })), expected);
    expectSame(firstOfListFirst(list.select(view)), expected);
    const narrow = { ...view, conditions };
    expectSame(firstOfListFirst(list.select(narrow)), naive.ids(narrow));
  }
}

// Few values, so that tokens often follow each other at the same place, as after a reorg.
const token = fc.record({
  chainId: fc.constantFrom(...chains),
  board: fc.integer({ min: 1, max: 3 }),
  burnPercent: fc.integer({ min: 30, max: 33 }),
  createdBlock: fc.integer({ min: 1, max: 6 }),
  createdLogIndex: fc.integer({ min: 0, max: 3 }),
  progress: fc.constantFrom(0, 12.3456, 12.3457, 100),
  graduatedAt: fc.constantFrom(0, 1_750_000_000, 1_750_000_001, 2 ** 32 - 1),
  holders: fc.nat(3),
  marketCap: fc.constantFrom(0, 5e43, 5.000000000000001e43, 1e150),
  creatorPercent: fc.constantFrom(0, 4.9999999, 5, 100),
  insiderPercent: fc.constantFrom(0, 4.9999999, 5, 100),
  sniperPercent: fc.constantFrom(0, 4.9999999, 5, 100),
  bundlerPercent: fc.constantFrom(0, 4.9999999, 5, 100),
  creatorBuysPercent: fc.constantFrom(0, 4.9999, 5, 33.3333, 100),
  openingBuysPercent: fc.constantFrom(0, 4.9999, 5, 33.3333, 100),
  netVolume: fc.constantFrom(0, 1, 1e18, 1.000001e18, 1e77),
  verified: fc.boolean(),
  selfGraduated: fc.boolean(),
});
/** Numbers that fit exactly into 32 bits, and so do their inverses. */
const changeOfPrice = fc.constantFrom(0, 0.25, 0.5, 1, 2, 4);
const activity = fc.record({
  volume: fc.constantFrom(0, 1, 2 ** 53, 1e18, 1.000001e18, 1e77),
  trades: fc.nat(3),
  traders: fc.nat(3),
  trending: fc.nat(3),
  change: fc.record({ "1h": changeOfPrice, "6h": changeOfPrice, "24h": changeOfPrice }),
});
const conditions: fc.Arbitrary<Conditions> = fc.record(
  {
    minVolume: fc.constantFrom(0, 1, 1e18),
    minTraders: fc.nat(3),
    minHolders: fc.nat(3),
    maxCreatorPercent: fc.constantFrom(0, 4.99, 5),
    maxInsiderPercent: fc.constantFrom(0, 4.99, 5),
    maxSniperPercent: fc.constantFrom(0, 4.99, 5),
    maxBundlerPercent: fc.constantFrom(0, 4.99, 5),
    maxCreatorBuysPercent: fc.constantFrom(0, 4.9999, 5, 33.3333),
    maxOpeningBuysPercent: fc.constantFrom(0, 4.9999, 5, 33.3333),
    minNetVolume: fc.constantFrom(0, 1, 1e18),
    verified: fc.constant(true as const),
    selfGraduated: fc.constant(false as const),
  },
  { requiredKeys: [] },
);
const change = fc.record({
  id: fc.integer({ min: 1, max: 40 }),
  token: fc.option(token, { nil: undefined }),
  isWritten: fc.constant(false),
});
const activityChange = fc.record({ id: fc.integer({ min: 1, max: 40 }), activity });
/** One sync with the database: each id at most once, in any order, and only sometimes with activity. */
const sync = fc.record({
  changes: fc.uniqueArray(change, { selector: ({ id }) => id, maxLength: 12 }),
  traded: fc.option(fc.uniqueArray(activityChange, { selector: ({ id }) => id, maxLength: 12 }), {
    nil: undefined,
  }),
});

const firstLoad = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: 40 }), token, isWritten: fc.constant(false) }),
  { selector: ({ id }) => id, maxLength: 12 },
);

test("after any sequence of loads and changes, every view equals the sorted list", async () => {
  await fc.assert(
    fc.asyncProperty(
      firstLoad,
      fc.array(sync, { maxLength: 20 }),
      conditions,
      async (loaded, looks, narrow) => {
        const order = new TokenIndex();
        const naive = new NaiveList();
        naive.apply(loaded);
        if (!naive.isPossible()) return;
        await order.load([loaded.slice(0, 5), loaded.slice(5)], 40, 0);
        expectEqual(order, naive, narrow);
        for (const { changes, traded } of looks) {
          const after = naive.copy();
          after.apply(changes);
          if (!after.isPossible()) continue;
          order.apply(changes, 0);
          naive.apply(changes);
          if (traded !== undefined) {
            order.applyActivity(traded);
            naive.applyActivity(traded);
          }
          expectEqual(order, naive, narrow);
        }
      },
    ),
    { numRuns: sized({ usual: 30, long: 400 }) },
  );
});

test("a token may take the place of another after a reorg, in whichever order the two are read", () => {
  const market = {
    progress: 0,
    graduatedAt: 0,
    holders: 0,
    marketCap: 1,
    creatorPercent: 0,
    insiderPercent: 0,
    sniperPercent: 0,
    bundlerPercent: 0,
    creatorBuysPercent: 0,
    openingBuysPercent: 0,
    netVolume: 0,
    verified: false,
    selfGraduated: false,
  };
  const at = { chainId: 56, board: 1, burnPercent: 50, createdBlock: 10, createdLogIndex: 2, ...market };
  const view = { chainId: 56, board: "all", order: "newest" } as const;
  for (const [gone, come] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const order = new TokenIndex();
    order.apply([{ id: gone, token: at, isWritten: false }], 0);
    const changes = [
      { id: come, token: at, isWritten: false },
      { id: gone, token: undefined, isWritten: false },
    ];
    order.apply(changes, 0);
    expect(firstOfListFirst(order.ids(view))).toEqual([come]);
  }
});

/** Places that are all different, in a random order. */
function manyTokens(count: number, seed: number): Change[] {
  return Array.from({ length: count }, (_, index) => {
    const random = Math.imul(index + seed, 2_654_435_761) >>> 0;
    return {
      id: index + 1,
      isWritten: false,
      token:
        random % 11 === 0
          ? undefined
          : {
              chainId: chains[random % 2] as number,
              board: 1 + (random % 3),
              burnPercent: 30 + (random % 41),
              createdBlock: 1 + ((index * 7_919 + seed) % count),
              createdLogIndex: random % 1_000,
              progress: (random % 1_000_000) / 10_000,
              graduatedAt: random % 13 === 0 ? 1_750_000_000 + (random % 5_000) : 0,
              holders: random % 500,
              marketCap: (random % 10_000) * 1e40,
              creatorPercent: random % 100,
              insiderPercent: random % 100,
              sniperPercent: random % 100,
              bundlerPercent: random % 100,
              creatorBuysPercent: random % 100,
              openingBuysPercent: random % 100,
              netVolume: (random % 1_000) * 1e15,
              verified: random % 7 === 0,
              selfGraduated: random % 11 === 0,
            },
    };
  });
}

/** Every third token has activity. */
function manyTraded(count: number, seed: number): ActivityChange[] {
  return Array.from({ length: Math.floor(count / 3) }, (_, index) => {
    const random = Math.imul(index + seed, 2_654_435_761) >>> 0;
    const traded = {
      volume: (random % 1_000) * 1e15,
      trades: random % 90,
      traders: random % 30,
      trending: random % 70,
      change: { "1h": 2 ** ((random % 9) - 4), "6h": random % 2, "24h": 2 ** ((random % 5) - 2) },
    };
    return { id: 3 * index + 1, activity: random % 5 === 0 ? noActivity : traded };
  });
}

// From 5,000 changes on, everything is sorted again.
test.each(sized({ usual: [4_999, 5_000], long: [4_999, 5_000, 12_345] }))(
  "%i changes at once, and some after them",
  (count) => {
    const order = new TokenIndex();
    const naive = new NaiveList();
    for (const [size, seed] of [
      [count, 1],
      [100, 5],
      [count, 3],
    ] as const) {
      const changes = manyTokens(size, seed);
      const traded = manyTraded(size, seed);
      const after = naive.copy();
      after.apply(changes);
      if (!after.isPossible()) throw new Error("two tokens at the same place");
      order.apply(changes, 0);
      naive.apply(changes);
      order.applyActivity(traded);
      naive.applyActivity(traded);
      expectEqual(order, naive);
    }
  },
);

test("a change without an effect does not start an epoch", () => {
  const order = new TokenIndex();
  const changes = manyTokens(100, 1);
  const traded = manyTraded(100, 1);
  order.apply(changes, 0);
  order.applyActivity(traded);
  const { epoch } = order;
  order.apply(changes, 0);
  order.applyActivity(traded);
  order.applyActivity([{ id: 2_000_000, activity: noActivity }]);
  expect(order.epoch).toBe(epoch);
  order.apply([{ id: 1_000_000, token: undefined, isWritten: false }], 0);
  expect(order.epoch).toBe(epoch);
});

test("selected ids come in the order of the view, few or many, without those that are not in it", () => {
  const order = new TokenIndex();
  const naive = new NaiveList();
  const all = manyTokens(2_000, 9);
  order.apply(all, 0);
  naive.apply(all);
  order.applyActivity(manyTraded(2_000, 9));
  naive.applyActivity(manyTraded(2_000, 9));
  fc.assert(
    fc.property(
      fc.constantFrom(...views),
      fc.uniqueArray(fc.integer({ min: 1, max: 2_500 }), { maxLength: 400 }),
      (view, ids) => {
        const selected = order.select(view, Int32Array.from(ids));
        expect([...selected].reverse()).toEqual(naive.ids(view, new Set(ids)));
      },
    ),
    { numRuns: 200 },
  );
});

test("in every view, each id is found at its position, even at the place of another", () => {
  const order = new TokenIndex();
  const all = manyTokens(300, 9);
  const again = all.slice(0, 30).map((change) => ({ ...change, id: change.id + 300 }));
  order.apply([...all, ...again], 0);
  order.applyActivity(manyTraded(330, 9));
  for (const { chainId, board, order: by } of views) {
    const view = { chainId, board, order: by };
    const selected = new SelectedIds(order.select(view));
    const lists = isStanding(by) ? [selected, order.ids({ chainId, board, order: by })] : [selected];
    for (const ids of lists) {
      const before = [...ids.slice(0, ids.length)].map((id) =>
        ids.countBefore(order.compareWith(by, order.position(by, id))),
      );
      expectSame(before, [...before.keys()]);
    }
  }
});

test.each(["architecture.md", "decisions/0001-list-in-memory.md"])(
  "docs/%s says how many bytes a token takes",
  async (name) => {
    const text = await readFile(new URL(`../../../../../docs/${name}`, import.meta.url), "utf8");
    expect(text).toContain(`: ${bytesPerToken} bytes, 44 more for recent trades`);
  },
);
