import type { Event, EventNames } from "ponder:registry";
import { findTraders, type MarketAction } from "../curve/traders.ts";
import type { Address } from "../entities/context.ts";

type Named<Name extends EventNames> = {
  eventCallback: { name: Name };
  event: { args: Event<Name>["args"]; log: { address: Address; logIndex: number } };
};
type AnyEvent = { [Name in EventNames]: Named<Name> }[EventNames];

type Traders = ReturnType<typeof findTraders>;

/** By a transaction's events, which share their array, and by token and pair. */
const tradersByTransaction = new WeakMap<readonly AnyEvent[], Map<string, Traders>>();

/** Returns the account that a trade on the curve belongs to. */
export function curveTrader(event: Event<"Launchpad:Trade">): Address {
  const { token, trader } = event.args;
  const graduation = eventsAround(event).find(
    (other) => isNamed(other, "Launchpad:Graduated") && other.event.args.token === token,
  ) as Named<"Launchpad:Graduated"> | undefined;
  return accountOf(event, token, graduation?.event.args.pair) ?? trader;
}

/** Returns the account that a swap on a token's pair belongs to. */
export function swapTrader(event: Event<"DexPair:Swap">, token: Address): Address {
  // Without a movement in this transaction, the tokens had reached the pair before, and whoever calls it sells them.
  return accountOf(event, token, event.log.address) ?? event.args.sender;
}

/** Returns the account whose tokens were added to a pair's liquidity, or that got those that were removed. */
export function liquidityProvider(event: Event<"DexPair:Mint" | "DexPair:Burn">, token: Address): Address {
  const { args } = event;
  return accountOf(event, token, event.log.address) ?? ("to" in args ? args.to : args.sender);
}

function accountOf(
  event: { log: { logIndex: number } },
  token: Address,
  pair: Address | undefined,
): Address | undefined {
  const events = eventsAround(event);
  const known = tradersByTransaction.get(events) ?? new Map<string, Traders>();
  tradersByTransaction.set(events, known);
  const key = `${token} ${pair}`;
  const found = known.get(key) ?? tradersOf(events, token, pair);
  known.set(key, found);
  return found.get(event.log.logIndex);
}

function tradersOf(events: readonly AnyEvent[], token: Address, pair: Address | undefined): Traders {
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
    if (address !== pair) return [];
    const action = { logIndex, market: address, amount: undefined };
    if (isNamed(each, "DexPair:Swap")) return [{ ...action, gives: undefined }];
    if (isNamed(each, "DexPair:Mint")) return [{ ...action, gives: false }];
    return isNamed(each, "DexPair:Burn") ? [{ ...action, gives: true }] : [];
  });
  return findTraders(movements, actions);
}

function isNamed<Name extends EventNames>(each: AnyEvent, name: Name): each is Named<Name> & AnyEvent {
  return each.eventCallback.name === name;
}

/** `runtime/ponder/transaction-events.ts` gives each event all of its transaction's, in the order of the chain. */
function eventsAround(event: { transactionEvents?: readonly AnyEvent[]; log: object }): readonly AnyEvent[] {
  if (event.transactionEvents === undefined) throw new Error("Invariant(event): without its transaction's");
  return event.transactionEvents;
}
