import fc from "fast-check";
import type { Address } from "viem";
import { expect, test } from "vitest";
import { dexTrade } from "../../src/domain/swap.ts";
import { findMoves, type MarketAction, type Movement } from "../../src/domain/traders.ts";
import { seed } from "../run/seed.ts";
import type { ChainEvent } from "./chain-events.ts";
import { followTokens } from "./followed-tokens.ts";

const [token, launchpad, pair] = ["0x70", "0x1a", "0x9a"] as const;
const accounts: Address[] = ["0xa1", "0xa2", "0xa3"];
const burnAddresses: Address[] = [`0x${"0".repeat(40)}`, "0x000000000000000000000000000000000000dead"];

type Log = Pick<ChainEvent, "name" | "args" | "emitter">;

// Few accounts and small amounts, so that most transactions have equal amounts, sums, cycles and leftovers.
const amount = fc.bigInt({ min: 0n, max: 4n });
const account = fc.constantFrom(...accounts);
const anybody = fc.oneof(
  { weight: 8, arbitrary: account },
  fc.constantFrom(launchpad, pair, ...burnAddresses),
);
const transfer = (from: Address, to: Address, value: bigint) =>
  ({ name: "Transfer", args: { from, to, value }, emitter: token }) as Log;
const trade = (isBuy: boolean, tokenAmount: bigint) => {
  const args = { token, trader: "0xca", isBuy, tokenAmount, bnbAmount: 1n };
  return { name: "Trade", args, emitter: launchpad } as unknown as Log;
};
const onPair = (name: "Swap" | "Mint" | "Burn", [tokenIn, tokenOut]: [bigint, bigint]) => {
  const amounts = { amount0In: tokenIn, amount0Out: tokenOut, amount1In: 1n, amount1Out: 1n };
  return { name, args: { ...amounts, sender: "0x5e", to: "0x70" }, emitter: pair } as unknown as Log;
};

const parts = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(anybody, anybody, amount).map((terms) => [transfer(...terms)]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(account, amount)
      .map(([to, value]) => [trade(true, value), transfer(launchpad, to, value)]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(account, amount)
      .map(([from, value]) => [transfer(from, launchpad, value), trade(false, value)]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(account, amount)
      .map(([to, value]) => [transfer(pair, to, value), onPair("Swap", [0n, value])]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(account, amount)
      .map(([from, value]) => [transfer(from, pair, value), onPair("Swap", [value, 0n])]),
  },
  fc
    .tuple(account, amount, amount)
    .map(([of, tokenOut, tokenIn]) => [
      transfer(pair, of, tokenOut),
      transfer(of, pair, tokenIn),
      onPair("Swap", [tokenIn, tokenOut]),
    ]),
  fc
    .tuple(fc.constantFrom("Swap", "Mint", "Burn"), fc.tuple(amount, amount))
    .map((terms) => [onPair(...terms)]),
  fc.tuple(fc.boolean(), amount).map((terms) => [trade(...terms)]),
);

test("in any transaction, the index finds the same traders and transfers as the reference", () => {
  const graduation = {
    name: "Graduated",
    args: { token, pair },
    emitter: launchpad,
    tx: "0x01",
    block: 1n,
    logIndex: 0,
  };
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), (some) => {
      const events = some
        .flat()
        .map((log, logIndex) => ({ ...log, tx: "0x02", block: 2n, logIndex }) as unknown as ChainEvent);
      const found = followTokens({
        events: [graduation as unknown as ChainEvent, ...events],
        launchpad,
        pairsWithToken0: new Set([pair]),
      });
      const indexed = findMoves(movementsOf(events), actionsOf(events), [launchpad, pair]);
      for (const event of events) {
        if (event.name === "Transfer") {
          expect(indexed.carried.get(event.logIndex) ?? 0n).toBe(found.used.get(event) ?? 0n);
          continue;
        }
        const named = event.name === "Trade" ? "0xca" : event.name === "Burn" ? "0x70" : "0x5e";
        expect(indexed.actions.get(event.logIndex)?.account ?? named).toBe(found.accounts.get(event));
        expect(indexed.actions.get(event.logIndex)?.amount).toBe(found.moved.get(event));
      }
    }),
    { seed, numRuns: 5_000 },
  );
});

test("in any transaction, what trades, liquidity and transfers moved adds up to the balances", () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), (some) => {
      const events = some
        .flat()
        .map((log, logIndex) => ({ ...log, tx: "0x02", logIndex }) as unknown as ChainEvent);
      const [movements, actions] = [movementsOf(events), actionsOf(events)];
      const moves = findMoves(movements, actions, [launchpad, pair]);
      const balances = new Map<Address, bigint>();
      const move = (from: Address, to: Address, amount: bigint) => {
        balances.set(from, (balances.get(from) ?? 0n) - amount);
        balances.set(to, (balances.get(to) ?? 0n) + amount);
      };
      for (const { from, to, amount } of movements) move(to, from, amount);
      for (const { logIndex, market, gives } of actions) {
        const moved = moves.actions.get(logIndex);
        if (moved === undefined) continue;
        if (gives) move(market, moved.account, moved.amount);
        else move(moved.account, market, moved.amount);
      }
      for (const { logIndex, from, to, amount } of movements) {
        const rest = amount - (moves.carried.get(logIndex) ?? 0n);
        expect(rest).toBeGreaterThanOrEqual(0n);
        move(from, to, rest);
      }
      expect([...balances.values()].filter((sum) => sum !== 0n)).toEqual([]);
    }),
    { seed, numRuns: 5_000 },
  );
});

const movementsOf = (events: ChainEvent[]) =>
  events.flatMap(({ name, args, logIndex }): Movement[] =>
    name === "Transfer" ? [{ logIndex, from: args.from, to: args.to, amount: args.value }] : [],
  );

const actionsOf = (events: ChainEvent[]) =>
  events.flatMap(({ name, args, emitter: market, logIndex }): MarketAction[] => {
    if (name === "Trade") return [{ logIndex, market, gives: args.isBuy, amount: args.tokenAmount }];
    if (name === "Swap") {
      const isBothWays = args.amount0In > 0n && args.amount0Out > 0n;
      return [{ logIndex, market, gives: dexTrade(args, true).side === "buy", isBothWays }];
    }
    return name === "Mint" || name === "Burn" ? [{ logIndex, market, gives: name === "Burn" }] : [];
  });
