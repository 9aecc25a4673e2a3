import type { Event, EventNames } from "ponder:registry";
import { dexTrade, tokenIsToken0 } from "../curve/swap.ts";
import { findTraders, type MarketAction } from "../curve/traders.ts";
import type { Address } from "../entities/context.ts";

type Named<Name extends EventNames> = {
  eventCallback: { name: Name };
  event: { args: Event<Name>["args"]; log: { address: Address; logIndex: number } };
};
type AnyEvent = { [Name in EventNames]: Named<Name> }[EventNames];

type Traders = ReturnType<typeof findTraders>;

/** Where a token is traded. */
export type Markets = {
  token: Address;
  /** Undefined where it isn't known, which only matters for tokens that were sent to it by mistake. */
  launchpad: Address | undefined;
  pair: { address: Address; tokenIsToken0: boolean } | undefined;
};

/** By a transaction's events, which share their array, and by markets. */
const tradersByTransaction = new WeakMap<readonly AnyEvent[], Map<string, Traders>>();

/** Returns the account that a trade on the curve belongs to. */
export function curveTrader(event: Event<"Launchpad:Trade">): Address {
  const { token, trader } = event.args;
  const pair = openedPair(eventsAround(event), token);
  return accountOf(event, { token, launchpad: event.log.address, pair }) ?? trader;
}

/** Returns the account that a swap on a token's pair belongs to. */
export function swapTrader(event: Event<"DexPair:Swap">, markets: Markets): Address {
  // Without a movement in this transaction, the tokens had reached the pair before, and whoever calls it sells them.
  return accountOf(event, markets) ?? event.args.sender;
}

/** Returns the account whose tokens were added to a pair's liquidity, or that got those that were removed. */
export function liquidityProvider(event: Event<"DexPair:Mint" | "DexPair:Burn">, markets: Markets): Address {
  const { args } = event;
  return accountOf(event, markets) ?? ("to" in args ? args.to : args.sender);
}

function accountOf(event: { log: { logIndex: number } }, markets: Markets): Address | undefined {
  const events = eventsAround(event);
  const known = tradersByTransaction.get(events) ?? new Map<string, Traders>();
  tradersByTransaction.set(events, known);
  const { token, launchpad, pair } = markets;
  const key = [token, launchpad, pair?.address, pair?.tokenIsToken0].join();
  const found = known.get(key) ?? tradersOf(events, markets);
  known.set(key, found);
  return found.get(event.log.logIndex);
}

function tradersOf(events: readonly AnyEvent[], { token, launchpad, pair }: Markets): Traders {
  const movements = events.flatMap((each) => {
    if (!isNamed(each, "LaunchToken:Transfer") || each.event.log.address !== token) return [];
    const { from, to, value } = each.event.args;
    return [{ logIndex: each.event.log.logIndex, from, to, amount: value }];
  });
  const actions = events.flatMap((each): MarketAction[] => {
    const { address, logIndex } = each.event.log;
    if (isNamed(each, "Launchpad:Trade") && each.event.args.token === token) {
      const { isBuy, tokenAmount } = each.event.args;
      return [{ logIndex, market: address, gives: isBuy, amount: tokenAmount }];
    }
    if (address !== pair?.address) return [];
    const action = { logIndex, market: address };
    if (isNamed(each, "DexPair:Swap")) {
      return [{ ...action, gives: dexTrade(each.event.args, pair.tokenIsToken0).side === "buy" }];
    }
    if (isNamed(each, "DexPair:Mint")) return [{ ...action, gives: false }];
    return isNamed(each, "DexPair:Burn") ? [{ ...action, gives: true }] : [];
  });
  const markets = [launchpad, pair?.address].filter((market) => market !== undefined);
  return findTraders(movements, actions, markets);
}

type Pair = NonNullable<Markets["pair"]>;

/** The pairs of the tokens that graduate in a transaction, by token. */
const openedPairs = new WeakMap<readonly AnyEvent[], Map<Address, Pair>>();

/** Returns the pair of a token that graduates in this transaction. */
function openedPair(events: readonly AnyEvent[], token: Address): Pair | undefined {
  const known = openedPairs.get(events);
  if (known !== undefined) return known.get(token);
  const opened = new Map<Address, Pair>();
  openedPairs.set(events, opened);
  for (const graduation of events) {
    if (!isNamed(graduation, "Launchpad:Graduated") || opened.has(graduation.event.args.token)) continue;
    const { token: graduated, pair: address, tokenLiquidity } = graduation.event.args;
    const synced = events.find(
      (each): each is Named<"DexPair:Sync"> & AnyEvent =>
        isNamed(each, "DexPair:Sync") && each.event.log.address === address,
    );
    const { reserve0, reserve1 } = synced?.event.args ?? { reserve0: 0n, reserve1: 0n };
    opened.set(graduated, { address, tokenIsToken0: tokenIsToken0(tokenLiquidity, reserve0, reserve1) });
  }
  return opened.get(token);
}

function isNamed<Name extends EventNames>(each: AnyEvent, name: Name): each is Named<Name> & AnyEvent {
  return each.eventCallback.name === name;
}

/** `runtime/ponder/transaction-events.ts` gives each event all of its transaction's, in the order of the chain. */
function eventsAround(event: { transactionEvents?: readonly AnyEvent[]; log: object }): readonly AnyEvent[] {
  if (event.transactionEvents === undefined) throw new Error("Invariant(event): without its transaction's");
  return event.transactionEvents;
}
