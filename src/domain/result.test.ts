import fc from "fast-check";
import { parseEther } from "viem";
import { expect, test } from "vitest";
import { maxUint256, minBigint } from "./amounts.ts";
import { addTokens, applySell, type Result, removeTokens } from "./result.ts";

const nothing: Result = { openTokensRaw: 0n, openCost: 0n, realised: 0n };

type Trade = { side: "buy" | "sell"; bnb: bigint; tokens: bigint };

const after = (trades: Trade[]) =>
  trades.reduce(
    (result, { side, bnb, tokens }) => (side === "buy" ? addTokens : applySell)(result, bnb, tokens),
    nothing,
  );

const tradesOf = (largest: bigint) =>
  fc.array(
    fc.record({
      side: fc.constantFrom("buy" as const, "sell" as const),
      bnb: fc.bigInt(0n, largest),
      tokens: fc.bigInt(0n, largest),
    }),
    { maxLength: 30 },
  );

test("a sale realises its proceeds less the average cost", () => {
  const trades: Trade[] = [
    { side: "buy", bnb: parseEther("1"), tokens: parseEther("100") },
    { side: "buy", bnb: parseEther("3"), tokens: parseEther("100") },
    { side: "sell", bnb: parseEther("1.5"), tokens: parseEther("50") },
  ];
  expect(after(trades)).toEqual({
    openTokensRaw: parseEther("150"),
    openCost: parseEther("3"),
    realised: parseEther("0.5"),
  });
  expect(after([...trades, { side: "sell", bnb: parseEther("1"), tokens: parseEther("150") }])).toEqual({
    ...nothing,
    realised: parseEther("-1.5"),
  });
});

test("tokens beyond the open ones cost nothing, and are open once as many have come", () => {
  expect(applySell(nothing, 7n, 100n)).toEqual({ ...nothing, openTokensRaw: -100n, realised: 7n });
  const oversold = applySell(addTokens(nothing, 10n, 100n), 30n, 300n);
  expect(oversold).toEqual({ ...nothing, openTokensRaw: -200n, realised: 20n });
  expect(removeTokens(addTokens(nothing, 10n, 100n), 300n)).toEqual({
    after: { ...nothing, openTokensRaw: -200n },
    cost: 10n,
  });
  expect(removeTokens(oversold, 50n)).toEqual({ after: { ...oversold, openTokensRaw: -250n }, cost: 0n });
  expect(addTokens(oversold, 5n, 201n)).toEqual({ openTokensRaw: 1n, openCost: 5n, realised: 20n });
});

test("not a wei is lost: realised results and open costs add up to what was received and spent", () => {
  fc.assert(
    fc.property(tradesOf(10n ** 30n), (trades) => {
      const { openCost, realised } = after(trades);
      const flow = trades.reduce((sum, { side, bnb }) => (side === "buy" ? sum - bnb : sum + bnb), 0n);
      expect(realised - openCost).toBe(flow);
    }),
  );
});

/** Makes trades that sell what there is at most. */
const afterHonest = (trades: Trade[]) =>
  trades.reduce((result, { side, bnb, tokens }) => {
    if (side === "buy") return addTokens(result, bnb, tokens);
    return applySell(result, bnb, minBigint(tokens, result.openTokensRaw));
  }, nothing);

test("nothing is open once as much is sold as was bought, and then it cost nothing", () => {
  fc.assert(
    fc.property(tradesOf(10n ** 30n), (trades) => {
      const { openTokensRaw } = afterHonest(trades);
      const closed = applySell(afterHonest(trades), 0n, openTokensRaw);
      expect([closed.openTokensRaw, closed.openCost]).toEqual([0n, 0n]);
    }),
  );
});

test("a sale leaves the average cost of the others as it was, but for rounding up by less than a wei", () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 30n),
      fc.bigInt(1n, 10n ** 30n),
      fc.bigInt(0n, 10n ** 30n),
      (cost, tokens, part) => {
        fc.pre(part < tokens);
        const left = applySell(addTokens(nothing, cost, tokens), 0n, part);
        const exact = cost * (tokens - part);
        expect(left.openCost * tokens >= exact && (left.openCost - 1n) * tokens < exact).toBe(true);
      },
    ),
  );
});

test("stays within what columns can hold, whatever is traded", () => {
  fc.assert(
    fc.property(tradesOf(maxUint256), (trades) => {
      const { openTokensRaw, openCost, realised } = after(trades);
      expect(openCost >= 0n && openCost <= maxUint256).toBe(true);
      for (const signed of [openTokensRaw, realised]) {
        expect(signed >= -maxUint256 && signed <= maxUint256).toBe(true);
      }
    }),
  );
});

/** Accounts are numbers; those of a transfer may be none, for the mint, a burn address or a market. */
type Step =
  | { kind: "buy" | "sell"; account: number; bnb: bigint; tokens: bigint }
  | { kind: "transfer"; from: number | undefined; to: number | undefined; tokens: bigint };

const accounts = 4;
const amount = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 10n ** 30n));
const account = fc.integer({ min: 0, max: accounts - 1 });
const accountOrNone = fc.option(account, { nil: undefined, freq: 5 });
const steps = fc.array(
  fc.oneof<[fc.Arbitrary<Step>, fc.Arbitrary<Step>]>(
    fc.record({
      kind: fc.constantFrom("buy" as const, "sell" as const),
      account,
      bnb: amount,
      tokens: amount,
    }),
    fc.record({
      kind: fc.constant("transfer" as const),
      from: accountOrNone,
      to: accountOrNone,
      tokens: amount,
    }),
  ),
  { maxLength: 40 },
);

type Book = {
  result: Result;
  spent: bigint;
  proceeds: bigint;
  receivedCost: bigint;
  sentCost: bigint;
  balance: bigint;
};

/** Applies steps to the books of all accounts. */
function keepBooks(all: Step[]) {
  const books = Array.from({ length: accounts }, (): Book => {
    return {
      result: nothing,
      spent: 0n,
      proceeds: 0n,
      receivedCost: 0n,
      sentCost: 0n,
      balance: 0n,
    };
  });
  /** The cost of what markets, burn addresses and the mint sent and received. */
  const outside = { receivedCost: 0n, sentCost: 0n };
  for (const step of all) {
    if (step.kind === "transfer") {
      const { from, to, tokens } = step;
      let cost = 0n;
      if (from === undefined) outside.sentCost += cost;
      else {
        const sender = books[from] as Book;
        sender.balance -= tokens;
        const removed = removeTokens(sender.result, tokens);
        ({ cost } = removed);
        sender.result = removed.after;
        sender.sentCost += cost;
      }
      if (to === undefined) outside.receivedCost += cost;
      else {
        const receiver = books[to] as Book;
        receiver.balance += tokens;
        receiver.result = addTokens(receiver.result, cost, tokens);
        receiver.receivedCost += cost;
      }
      continue;
    }
    const book = books[step.account] as Book;
    if (step.kind === "buy") {
      book.balance += step.tokens;
      book.result = addTokens(book.result, step.bnb, step.tokens);
      book.spent += step.bnb;
    } else {
      book.balance -= step.tokens;
      book.result = applySell(book.result, step.bnb, step.tokens);
      book.proceeds += step.bnb;
    }
  }
  return { books, outside };
}

const total = (books: Book[], value: (book: Book) => bigint) =>
  books.reduce((sum, book) => sum + value(book), 0n);
/** What the tokens cost that an account has sold. */
const soldCost = ({ proceeds, result }: Book) => proceeds - result.realised;

test("cost follows tokens: what was spent and received is open, sold or sent, in each account and in all", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { books, outside } = keepBooks(all);
      const surplus = (book: Book) =>
        book.spent - soldCost(book) + book.receivedCost - book.sentCost - book.result.openCost;
      for (const book of books) {
        expect(surplus(book)).toBe(0n);
        expect(book.result.openTokensRaw).toBe(book.balance);
        for (const cost of [book.result.openCost, soldCost(book), book.sentCost])
          expect(cost >= 0n).toBe(true);
      }
      expect(total(books, ({ sentCost }) => sentCost) + outside.sentCost).toBe(
        total(books, ({ receivedCost }) => receivedCost) + outside.receivedCost,
      );
      // Transfers between accounts only move costs: all that was spent is open, was sold, or went to a market or a burn address.
      expect(total(books, ({ spent }) => spent)).toBe(
        total(books, ({ result }) => result.openCost) + total(books, soldCost) + outside.receivedCost,
      );
    }),
  );
});

/** A wallet's trades of what it has, and moves of some of its tokens to a second wallet of the same owner, before some of them. */
const ownersSteps = fc.array(
  fc.record({
    isBuy: fc.boolean(),
    bnb: fc.bigInt(0n, 10n ** 24n),
    tokens: fc.bigInt(1n, 10n ** 30n),
    moved: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  }),
  { maxLength: 20 },
);

/** Plays trades, with moves to another wallet and back at once, of all tokens or of a part. Also counts the moves. */
function play(all: typeof ownersSteps extends fc.Arbitrary<infer Steps> ? Steps : never, percent?: number) {
  let result = nothing;
  let moves = 0n;
  for (const { isBuy, bnb, tokens, moved } of all) {
    if (percent !== undefined && moved !== undefined) {
      const part = (result.openTokensRaw * BigInt(percent)) / 100n;
      const there = removeTokens(result, part);
      const other = addTokens(nothing, there.cost, part);
      const back = removeTokens(other, part);
      result = addTokens(there.after, back.cost, part);
      moves += 2n;
    }
    const amount = isBuy || tokens < result.openTokensRaw ? tokens : result.openTokensRaw;
    result = (isBuy ? addTokens : applySell)(result, bnb, amount);
  }
  return { result, moves };
}

test("tokens that go to another wallet and come back change neither cost nor result", () => {
  fc.assert(
    fc.property(ownersSteps, fc.integer({ min: 0, max: 100 }), (all, percent) => {
      expect(play(all, percent).result).toEqual(play(all).result);
    }),
  );
});

test("selling from the wallet that got all tokens realises what selling from the first one would", () => {
  fc.assert(
    fc.property(
      tradesOf(10n ** 30n),
      fc.bigInt(0n, 10n ** 30n),
      fc.bigInt(0n, 10n ** 30n),
      (trades, bnb, part) => {
        const owner = afterHonest(trades);
        const moved = removeTokens(owner, owner.openTokensRaw);
        const second = applySell(addTokens(nothing, moved.cost, owner.openTokensRaw), bnb, part);
        const alone = applySell(owner, bnb, part);
        expect(moved.after).toEqual({ ...nothing, realised: owner.realised });
        expect({ ...second, realised: owner.realised + second.realised }).toEqual(alone);
      },
    ),
  );
});

test("selling a part from each of two wallets realises the same but for less than a wei per transfer and sell", () => {
  const positive = fc.bigInt(1n, 10n ** 30n);
  fc.assert(
    fc.property(
      positive,
      positive,
      fc.bigInt(0n, 10n ** 30n),
      fc.bigInt(0n, 10n ** 30n),
      (cost, tokens, moved, sold) => {
        fc.pre(moved <= tokens && sold <= moved && sold <= tokens - moved);
        const owner = addTokens(nothing, cost, tokens);
        const { after: first, cost: movedCost } = removeTokens(owner, moved);
        const second = addTokens(nothing, movedCost, moved);
        const apart = applySell(first, 0n, sold).realised + applySell(second, 0n, sold).realised;
        const difference = apart - applySell(owner, 0n, 2n * sold).realised;
        expect(difference > -3n && difference < 3n).toBe(true);
      },
    ),
  );
});
