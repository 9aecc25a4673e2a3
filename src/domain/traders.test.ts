import fc from "fast-check";
import { expect, test } from "vitest";
import { findMoves, type MarketAction, type Movement } from "./traders.ts";

type Address = `0x${string}`;

const addresses = {
  zero: `0x${"0".repeat(40)}`,
  dead: "0x000000000000000000000000000000000000dead",
  launchpad: "0x1a",
  pair: "0x9a",
  alice: "0xa1",
  bob: "0xb0",
  carol: "0xca",
  router: "0x70",
  bot: "0xb7",
} as const satisfies Record<string, Address>;
type Name = keyof typeof addresses;

/** A movement `[from, to, amount]`, or an action in a market. */
type Log =
  | [from: Name, to: Name, amount: number]
  | { curve: "buy" | "sell"; amount: number }
  | { pair: "buy" | "sell" | "mint" | "burn"; isBothWays?: boolean };

function movesOf(logs: Log[]) {
  const movements: Movement[] = [];
  const actions: MarketAction[] = [];
  const { launchpad, pair } = addresses;
  for (const [logIndex, log] of logs.entries()) {
    if (Array.isArray(log)) {
      const [from, to, amount] = log;
      movements.push({ logIndex, from: addresses[from], to: addresses[to], amount: BigInt(amount) });
    } else if ("curve" in log) {
      const amount = BigInt(log.amount);
      actions.push({ logIndex, market: launchpad, gives: log.curve === "buy", amount });
    } else {
      const { isBothWays = false } = log;
      actions.push({ logIndex, market: pair, gives: log.pair === "buy" || log.pair === "burn", isBothWays });
    }
  }
  return { movements, actions, found: findMoves(movements, actions, [launchpad, pair]) };
}

const nameOf = (account: Address | undefined) =>
  (Object.keys(addresses) as Name[]).find((name) => addresses[name] === account) ?? null;

/** Returns the names of the actions' accounts, in order; null where no tokens moved. */
function tradersOf(logs: Log[]): (Name | null)[] {
  const { actions, found } = movesOf(logs);
  return actions.map(({ logIndex }) => nameOf(found.actions.get(logIndex)?.account));
}

const bought = (to: Name, amount: number): Log[] => [{ curve: "buy", amount }, ["launchpad", to, amount]];
const sold = (from: Name, amount: number): Log[] => [[from, "launchpad", amount], { curve: "sell", amount }];
const swappedOut = (to: Name, amount: number): Log[] => [["pair", to, amount], { pair: "buy" }];
const swappedIn = (from: Name, amount: number): Log[] => [[from, "pair", amount], { pair: "sell" }];

test.each<[string, Log[], (Name | null)[]]>([
  ["a buy on the curve", bought("alice", 5), ["alice"]],
  ["a sell on the curve", sold("alice", 5), ["alice"]],
  ["a buy on the DEX", swappedOut("alice", 5), ["alice"]],
  ["a sell on the DEX", swappedIn("alice", 5), ["alice"]],
  ["a buy that is passed on", [...bought("bot", 5), ["bot", "alice", 5]], ["alice"]],
  ["two hops", [...swappedOut("bot", 5), ["bot", "router", 5], ["router", "alice", 5]], ["alice"]],
  ["a sell for somebody", [["alice", "bot", 5], ...sold("bot", 5)], ["alice"]],
  ["a sell over two hops", [["alice", "bot", 5], ["bot", "router", 5], ...swappedIn("router", 5)], ["alice"]],
  ["a fee in tokens of a buy", [...bought("bot", 5), ["bot", "router", 1], ["bot", "alice", 4]], ["bot"]],
  ["a fee in tokens of a sell", [["alice", "bot", 5], ["bot", "carol", 1], ...sold("bot", 4)], ["alice"]],
  ["more than was bought is passed on", [...bought("bot", 5), ["bot", "alice", 9]], ["alice"]],
  ["tokens of several accounts", [["alice", "bot", 2], ["bob", "bot", 3], ...sold("bot", 5)], ["bot"]],
  [
    "buys for several accounts",
    [...bought("bot", 5), ...bought("bot", 4), ["bot", "alice", 5], ["bot", "bob", 4]],
    ["alice", "bob"],
  ],
  ["buys passed on as a sum", [...bought("bot", 5), ...bought("bot", 4), ["bot", "bob", 9]], ["bob", "bob"]],
  [
    "a sum that is split",
    [...bought("bot", 5), ...bought("bot", 4), ["bot", "alice", 6], ["bot", "bob", 3]],
    ["bot", "bot"],
  ],
  [
    "buys for several accounts, and a fee from older tokens",
    [...bought("bot", 5), ...bought("bot", 4), ["bot", "carol", 1], ["bot", "alice", 5], ["bot", "bob", 4]],
    ["alice", "bob"],
  ],
  [
    "equal buys for several accounts",
    [...swappedOut("bot", 5), ...swappedOut("bot", 5), ["bot", "alice", 5], ["bot", "bob", 5]],
    ["alice", "bob"],
  ],
  [
    "equal sells for several accounts",
    [["alice", "bot", 5], ["bob", "bot", 5], ...sold("bot", 5), ...sold("bot", 5)],
    ["alice", "bob"],
  ],
  [
    "a sell for somebody, after a small gift",
    [["alice", "bot", 5], ["bob", "bot", 1], ...sold("bot", 5)],
    ["alice"],
  ],
  [
    "more tokens after the bought ones",
    [...bought("bot", 5), ["bot", "alice", 5], ["bot", "bob", 5]],
    ["alice"],
  ],
  ["what is bought and sold", [...bought("bot", 5), ...swappedIn("bot", 5)], ["bot", "bot"]],
  [
    "… by a second contract",
    [...bought("bot", 5), ["bot", "bob", 5], ...swappedIn("bob", 5)],
    ["bob", "bob"],
  ],
  ["what is bought and burned", [...bought("alice", 5), ["alice", "zero", 5]], ["alice"]],
  ["what is bought and sent to the pair", [...swappedOut("alice", 5), ["alice", "pair", 5]], ["alice"]],
  ["what is bought and sent to a burn address", [...bought("alice", 5), ["alice", "dead", 5]], ["alice"]],
  [
    "what is bought and sent to the launchpad",
    [...swappedOut("alice", 5), ["alice", "launchpad", 5]],
    ["alice"],
  ],
  ["what the pair sends to the launchpad", swappedOut("launchpad", 5), [null]],
  ["a buy to a burn address, after skim", [["pair", "alice", 2], ...swappedOut("dead", 5)], [null]],
  ["tokens that had reached the pair before", [{ pair: "sell" }], [null]],
  ["more of them than the swap takes out", [["pair", "alice", 2], { pair: "sell" }], [null]],
  ["a gift that the pair has counted before", [["bob", "pair", 9], ...swappedOut("alice", 5)], ["alice"]],
  ["a mistake before a sell", [["bob", "pair", 1], ...swappedIn("alice", 5)], ["alice"]],
  [
    "movements of nothing and to oneself",
    [...bought("bot", 5), ["bot", "bob", 0], ["bot", "bot", 5]],
    ["bot"],
  ],
  [
    "a trade without a movement of its amount",
    [{ curve: "buy", amount: 5 }, ["launchpad", "bob", 4]],
    [null],
  ],
  ["equal buys", [...bought("alice", 5), ...bought("bob", 5)], ["alice", "bob"]],
  ["equal sells", [...sold("alice", 5), ...sold("bob", 5)], ["alice", "bob"]],
  [
    "liquidity",
    [
      ["alice", "pair", 5],
      { pair: "mint" },
      ["pair", "router", 3],
      ["pair", "bob", 0],
      { pair: "burn" },
      ["router", "bob", 3],
    ],
    ["alice", "bob"],
  ],
])("%s", (_, logs, expected) => {
  expect(tradersOf(logs)).toEqual(expected);
});

/** Returns what is transferred beside the actions, and what the actions move. */
function restsOf(logs: Log[]): { transfers: Log[]; moved: (number | null)[] } {
  const { movements, actions, found } = movesOf(logs);
  const transfers = movements.flatMap(({ logIndex, from, to, amount }): Log[] => {
    const rest = amount - (found.carried.get(logIndex) ?? 0n);
    return rest === 0n ? [] : [[nameOf(from) as Name, nameOf(to) as Name, Number(rest)]];
  });
  const amounts = actions.map(({ logIndex }) => found.actions.get(logIndex)?.amount);
  return { transfers, moved: amounts.map((amount) => (amount === undefined ? null : Number(amount))) };
}

const flashSwap = (...movements: Log[]): Log[] => [...movements, { pair: "sell", isBothWays: true }];

test.each<[string, Log[], Log[], (number | null)[]]>([
  ["a gift", [["alice", "bob", 5]], [["alice", "bob", 5]], []],
  ["a buy and a gift", [...bought("alice", 5), ["alice", "bob", 2]], [["alice", "bob", 2]], [5]],
  ["two hops", [...swappedOut("bot", 5), ["bot", "router", 5], ["router", "alice", 5]], [], [5]],
  ["a sell over two hops", [["alice", "bot", 5], ["bot", "router", 5], ...swappedIn("router", 5)], [], [5]],
  [
    "a fee in tokens of a buy",
    [...bought("bot", 5), ["bot", "router", 1], ["bot", "alice", 4]],
    [
      ["bot", "router", 1],
      ["bot", "alice", 4],
    ],
    [5],
  ],
  [
    "a fee in tokens of a sell",
    [["alice", "bot", 5], ["bot", "carol", 1], ...sold("bot", 4)],
    [
      ["alice", "bot", 1],
      ["bot", "carol", 1],
    ],
    [4],
  ],
  ["more than was bought", [...bought("bot", 5), ["bot", "alice", 9]], [["bot", "alice", 4]], [5]],
  ["what is bought and burned", [...bought("alice", 5), ["alice", "zero", 5]], [["alice", "zero", 5]], [5]],
  ["a mistake before a sell", [["bob", "pair", 1], ...swappedIn("alice", 5)], [["bob", "pair", 1]], [5]],
  ["tokens that had reached the pair before", [{ pair: "sell" }], [], [null]],
  ["what is bought for the launchpad", swappedOut("launchpad", 5), [["pair", "launchpad", 5]], [null]],
  [
    "liquidity, with a gift",
    [["alice", "bob", 1], ["alice", "pair", 5], { pair: "mint" }],
    [["alice", "bob", 1]],
    [5],
  ],
  ["a flash swap", flashSwap(["pair", "bot", 10], ["bot", "pair", 11]), [], [1]],
  [
    "a flash swap that somebody else pays back",
    flashSwap(["pair", "bot", 10], ["alice", "pair", 11]),
    [["pair", "bot", 10]],
    [11],
  ],
  [
    "an ordinary swap after skim",
    [["pair", "alice", 2], ...swappedIn("alice", 5)],
    [["pair", "alice", 2]],
    [5],
  ],
])("transfers beside %s", (_, logs, transfers, moved) => {
  expect(restsOf(logs)).toEqual({ transfers, moved });
});

test.each<[string, Log[], [after: number, Log[]][]]>([
  [
    "while a flash swap isn't paid",
    [["pair", "bot", 9], ["bot", "alice", 3], ["alice", "bob", 1], { pair: "buy" }, ["bot", "carol", 2]],
    [
      [
        3,
        [
          ["bot", "alice", 3],
          ["alice", "bob", 1],
        ],
      ],
    ],
  ],
  ["not after the event", [...bought("bot", 9), ["bot", "alice", 3]], []],
  ["not before a sell's event", [["bot", "pair", 9], ["bot", "alice", 3], { pair: "sell" }], []],
  ["not what carries the buy", [["pair", "bot", 9], ["bot", "alice", 9], { pair: "buy" }], []],
])("transfers are delayed %s", (_, logs, expected) => {
  const { found } = movesOf(logs);
  const delayed = [...found.delayed].map(([action, due]) => [
    action,
    due.map(({ from, to, amount }) => [nameOf(from), nameOf(to), Number(amount)]),
  ]);
  expect(delayed).toEqual(expected);
  const due = [...found.delayed.values()].flat().map(({ logIndex }) => logIndex);
  expect([...found.delayedMovements]).toEqual(due);
});

const accounts = fc.constantFrom<Name>("alice", "bob", "carol", "router", "bot");

test("a buy and a sell over any accounts belong to the last and the first of them", () => {
  fc.assert(
    fc.property(fc.uniqueArray(accounts, { minLength: 1 }), fc.integer({ min: 1 }), (path, amount) => {
      const hops = path.slice(1).map((to, index): Log => [path[index] as Name, to, amount]);
      const [first, last] = [path[0] as Name, path.at(-1) as Name];
      expect(tradersOf([...bought(first, amount), ...hops])).toEqual([last]);
      expect(tradersOf([...hops, ...swappedIn(last, amount)])).toEqual([first]);
    }),
  );
});

test("what is bought and sold in the same transaction leaves no tokens with anybody else", () => {
  fc.assert(
    fc.property(fc.uniqueArray(accounts, { minLength: 1 }), fc.integer({ min: 1 }), (path, amount) => {
      const hops = path.slice(1).map((to, index): Log => [path[index] as Name, to, amount]);
      const [first, last] = [path[0] as Name, path.at(-1) as Name];
      const traders = tradersOf([...bought(first, amount), ...hops, ...swappedIn(last, amount)]);
      expect(traders).toEqual([last, last]);
    }),
  );
});

test("whatever else moves, the trader is an account that moved tokens or the market's counterpart", () => {
  const movement = fc.tuple(accounts, accounts, fc.integer({ min: 0, max: 6 }));
  const action = fc.oneof(
    fc.tuple(accounts, fc.integer({ min: 1, max: 6 })).map(([to, amount]) => bought(to, amount)),
    fc.tuple(accounts, fc.integer({ min: 1, max: 6 })).map(([from, amount]) => swappedIn(from, amount)),
  );
  const logs = fc.array(
    fc.oneof(
      movement.map((log): Log[] => [log]),
      action,
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(logs, (parts) => {
      const all = parts.flat();
      const traders = tradersOf(all);
      expect(traders).toHaveLength(all.filter((log) => !Array.isArray(log)).length);
      expect(traders).not.toContain(null);
      expect(traders).not.toContain("pair");
      expect(traders).not.toContain("launchpad");
    }),
  );
});

test("one movement and one action are taken for the same as among others that have nothing to do with them", () => {
  const anyone = fc.constantFrom<Name>("launchpad", "pair", "zero", "dead", "alice", "bob");
  const amount = fc.integer({ min: 0, max: 2 });
  const action = fc.oneof(
    fc.record({ curve: fc.constantFrom("buy" as const, "sell" as const), amount }),
    fc.record({
      pair: fc.constantFrom("buy" as const, "sell" as const, "mint" as const, "burn" as const),
      isBothWays: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(fc.tuple(anyone, anyone, amount), action, fc.boolean(), (movement, act, isFirst) => {
      const logs: Log[] = isFirst ? [movement, act] : [act, movement];
      const alone = movesOf(logs).found;
      const amongOthers = movesOf([...logs, ["carol", "router", 9]]).found;
      expect(alone).toEqual(amongOthers);
    }),
    { numRuns: 1_000 },
  );
});
