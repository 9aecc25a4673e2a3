import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import { sum } from "./groups.ts";

export type FollowedSource = {
  events: ChainEvent[];
  launchpad: Address;
  /** Pairs whose token0 is the launched token. */
  pairsWithToken0: Set<Address>;
};

/** A trade or a change of liquidity. */
type Deal = ChainEvent<"Trade" | "Swap" | "Mint" | "Burn">;

/** A Transfer of a positive amount from one account to another. */
type Movement = { from: Address; to: Address; amount: bigint; logIndex: number; event: ChainEvent };

export type FollowedTokens = {
  /** The account that the tokens of each deal reach or come from: the trader, or who adds tokens to a pair or takes them out. */
  accounts: Map<ChainEvent, Address>;
  /** The account that the liquidity tokens of each Mint and Burn reach or come from; otherwise the deal's account. */
  providers: Map<ChainEvent, Address>;
  /** The tokens that moved between that account and the market, in the deal's direction. */
  moved: Map<ChainEvent, bigint>;
  /** How much of a Transfer is part of deals. */
  used: Map<ChainEvent, bigint>;
  /** The Transfer with which each deal's tokens leave the market. */
  gains: Map<ChainEvent, ChainEvent>;
};

/** A deal and the place of its movement in a list of movements. */
type Moved = { deal: Deal; index: number };

const burnAddresses: Address[] = [`0x${"0".repeat(40)}`, "0x000000000000000000000000000000000000dead"];

/** Follows the tokens of the launchpad's trades, of swaps and of changes of liquidity. */
export function followTokens(source: FollowedSource): FollowedTokens {
  const { events, launchpad } = source;
  const tokenOfPair = new Map<Address, Address>();
  const pairOfToken = new Map<Address, Address>();
  const graduatedAt = new Map<Address, ChainEvent>();
  for (const event of events) {
    if (event.name === "Graduated" && event.emitter === launchpad) graduatedAt.set(event.args.pair, event);
  }
  for (const { name, args, emitter } of events) {
    if (name !== "Graduated" || emitter !== launchpad) continue;
    tokenOfPair.set(args.pair, args.token);
    pairOfToken.set(args.token, args.pair);
  }
  const tokenOf = (event: ChainEvent): Address | undefined => {
    if (event.name === "Trade") return event.emitter === launchpad ? event.args.token : undefined;
    const isOfPair = event.name === "Swap" || event.name === "Mint" || event.name === "Burn";
    return isOfPair && isAfter(event, graduatedAt.get(event.emitter))
      ? tokenOfPair.get(event.emitter)
      : undefined;
  };

  const accounts = new Map<ChainEvent, Address>();
  const movedTokens = new Map<ChainEvent, bigint>();
  const used = new Map<ChainEvent, bigint>();
  const gainsOfAll = new Map<ChainEvent, ChainEvent>();
  const use = ({ event }: Movement, amount: bigint) => used.set(event, (used.get(event) ?? 0n) + amount);
  const deals = events.filter((event): event is Deal => tokenOf(event) !== undefined);
  const transactions = new Set(deals.map(({ tx }) => tx));
  const transfers = Map.groupBy(
    events.filter((event) => event.name === "Transfer" && transactions.has(event.tx)),
    ({ tx, emitter }) => `${tx} ${emitter}`,
  );
  for (const [key, own] of Map.groupBy(deals, (deal) => `${deal.tx} ${tokenOf(deal)}`)) {
    const movements = (transfers.get(key) ?? []).flatMap((event): Movement[] => {
      const { name, args, logIndex } = event;
      if (name !== "Transfer" || args.value === 0n || args.from === args.to) return [];
      return [{ from: args.from, to: args.to, amount: args.value, logIndex, event }];
    });
    const pair = pairOfToken.get(tokenOf(own[0] as Deal) as Address);
    const isAccount = (address: Address) => ![launchpad, pair, ...burnAddresses].includes(address);
    const moved = findMovements(own, movements, { ...source, isAccount });
    const gains = moved.filter(({ deal }) => isGain(deal, source));
    const losses = moved.filter((each) => !gains.includes(each));
    const bought = follow(gains, movements, isAccount);
    const passedOn = new Set(bought.passedOn.map(({ movement }) => movement));
    const others = movements.filter((movement) => !passedOn.has(movement));
    const sold = follow(...backwards(losses, movements, others), isAccount);
    const found = new Map([...bought.accounts, ...sold.accounts]);
    for (const deal of own) accounts.set(deal, found.get(deal) ?? accountNamedBy(deal));
    for (const { movement, amount } of [...bought.passedOn, ...sold.passedOn]) use(movement, amount);
    for (const { deal, index } of gains) gainsOfAll.set(deal, (movements[index] as Movement).event);
    for (const { deal, index } of moved) {
      const movement = movements[index] as Movement;
      use(movement, movement.amount);
      const back = findReturn(own, deal, movements, { ...source, account: accounts.get(deal) as Address });
      if (back !== undefined) use(back, back.amount);
      movedTokens.set(deal, movement.amount - (back?.amount ?? 0n));
    }
  }
  const ofPairs = new Map([...accounts, ...followLiquidity(events, new Set(tokenOfPair.keys()))]);
  const providers = new Map([...ofPairs].filter(([deal]) => accounts.has(deal)));
  return { accounts, providers, moved: movedTokens, used, gains: gainsOfAll };
}

/** Follows the pairs' own tokens, which a Mint makes and a Burn destroys. */
function followLiquidity(events: ChainEvent[], pairs: Set<Address>): Map<ChainEvent, Address> {
  const providers = new Map<ChainEvent, Address>();
  const own = events.filter(({ emitter }) => pairs.has(emitter));
  const groups = Map.groupBy(own, ({ tx, emitter }) => `${tx} ${emitter}`);
  for (const group of groups.values()) {
    const pair = (group[0] as ChainEvent).emitter;
    const isAccount = (address: Address) => ![pair, ...burnAddresses].includes(address);
    const movements = group.flatMap((event): Movement[] => {
      const { name, args, logIndex } = event;
      if (name !== "Transfer" || args.value === 0n || args.from === args.to) return [];
      return [{ from: args.from, to: args.to, amount: args.value, logIndex, event }];
    });
    const legsOf = (name: "Mint" | "Burn") => {
      const changes = group.filter((event): event is Deal => event.name === name);
      return changes.flatMap((deal, place): Moved[] => {
        const since = changes[place - 1]?.logIndex ?? -1;
        const index = movements.findLastIndex(
          ({ from, to, logIndex }) =>
            logIndex > since &&
            logIndex < deal.logIndex &&
            (name === "Mint" ? from === burnAddresses[0] : to === pair),
        );
        const { from, to } = movements[index] ?? { from: pair, to: pair };
        return isAccount(name === "Mint" ? to : from) ? [{ deal, index }] : [];
      });
    };
    const added = follow(legsOf("Mint"), movements, isAccount);
    const passedOn = new Set(added.passedOn.map(({ movement }) => movement));
    const others = movements.filter((movement) => !passedOn.has(movement));
    const removed = follow(...backwards(legsOf("Burn"), movements, others), isAccount);
    for (const [deal, account] of [...added.accounts, ...removed.accounts]) providers.set(deal, account);
  }
  return providers;
}

/** Whether an event comes after another one in the chain. */
function isAfter({ block, logIndex }: ChainEvent, other: ChainEvent | undefined): boolean {
  return other !== undefined && (block === other.block ? logIndex > other.logIndex : block > other.block);
}

/** Finds what the trader of a flash swap paid back to the pair, or got from it first. */
function findReturn(
  deals: Deal[],
  deal: Deal,
  movements: Movement[],
  { account, ...source }: FollowedSource & { account: Address },
): Movement | undefined {
  if (deal.name !== "Swap") return undefined;
  const { args, emitter: pair, logIndex } = deal;
  const isFirst = source.pairsWithToken0.has(pair);
  const flows = isFirst ? [args.amount0In, args.amount0Out] : [args.amount1In, args.amount1Out];
  if (flows.includes(0n)) return undefined;
  const [from, to] = isGain(deal, source) ? [account, pair] : [pair, account];
  const before = deals.filter((other) => other.emitter === pair && other.logIndex < logIndex);
  const since = Math.max(-1, ...before.map((other) => other.logIndex));
  return movements
    .filter((each) => each.from === from && each.to === to)
    .findLast((each) => each.logIndex > since && each.logIndex < logIndex);
}

/** Whether an account gets tokens: buys them, or removes them from the pair. */
function isGain({ name, args, emitter }: Deal, { pairsWithToken0 }: FollowedSource): boolean {
  if (name === "Trade") return args.isBuy;
  if (name !== "Swap") return name === "Burn";
  return pairsWithToken0.has(emitter) ? args.amount0Out > args.amount0In : args.amount1Out > args.amount1In;
}

/** The account of a deal that moved no tokens in its transaction. */
function accountNamedBy({ name, args }: Deal): Address {
  if (name === "Trade") return args.trader;
  return name === "Burn" ? args.to : args.sender;
}

/** Finds the movement between market and account that each deal consists of. */
function findMovements(
  deals: Deal[],
  movements: Movement[],
  source: FollowedSource & { isAccount: (address: Address) => boolean },
): Moved[] {
  const used = new Set<number>();
  return deals.flatMap((deal): Moved[] => {
    const { name, args, emitter, logIndex } = deal;
    const isOut = isGain(deal, source);
    const fits = ({ from, to }: Movement) => (isOut ? from : to) === emitter;
    const isWithAccount = (place: number) => {
      const { from, to } = movements[place] as Movement;
      return source.isAccount(isOut ? to : from);
    };
    const places = [...movements.keys()].filter((index) => fits(movements[index] as Movement));
    const placeOf = (index: number) => movements[index]?.logIndex as number;
    let index: number | undefined;
    if (name === "Trade") {
      const distance = (place: number) => Math.abs(placeOf(place) - logIndex);
      [index] = places
        .filter(
          (place) =>
            isWithAccount(place) && movements[place]?.amount === args.tokenAmount && !used.has(place),
        )
        .sort((left, right) => distance(left) - distance(right));
    } else {
      const previous = deals.findLast((other) => other.emitter === emitter && other.logIndex < logIndex);
      const since = previous?.logIndex ?? -1;
      index = places.findLast((place) => placeOf(place) > since && placeOf(place) < logIndex);
    }
    if (index === undefined || !isWithAccount(index)) return [];
    used.add(index);
    return [{ deal, index }];
  });
}

/** Turns time around, so that following the tokens over the other movements leads to where they came from. */
function backwards(moved: Moved[], movements: Movement[], others: Movement[]): [Moved[], Movement[]] {
  return [
    moved.map(({ deal, index }) => ({
      deal,
      index: others.length - 1 - others.indexOf(movements[index] as Movement),
    })),
    others.toReversed().map((movement) => ({ ...movement, from: movement.to, to: movement.from })),
  ];
}

/** Where a deal's tokens are: with the account that they last reached, unless it has sold or burned them. */
type Place = { account: Address; since: number; before?: Place; isGone?: boolean };

/**
 * Follows each deal's tokens to the account that they reach. The deal's own movement brings them from the market to the first
 * account. Also returns the movements that passed them on, and how many.
 */
function follow(deals: Moved[], movements: Movement[], isAccount: (address: Address) => boolean) {
  const amountOf = ({ index }: Moved) => movements[index]?.amount as bigint;
  const places = new Map(deals.map((deal) => [deal, new Map<number, Place | undefined>()]));

  /** Where a deal's tokens are after the first `count` movements; undefined if it comes later. */
  function placeAfter(deal: Moved, count: number): Place | undefined {
    if (count <= deal.index) return undefined;
    const known = places.get(deal);
    if (!known?.has(count)) known?.set(count, findPlace(deal, count));
    return known?.get(count);
  }

  function findPlace(deal: Moved, count: number): Place | undefined {
    const { from, to, amount } = movements[count - 1] as Movement;
    if (count === deal.index + 1) return { account: to, since: count };
    const before = placeAfter(deal, count - 1);
    if (before === undefined || before.isGone || before.account !== from) return before;
    const there = deals
      .flatMap((other) => {
        const place = placeAfter(other, count - 1);
        return place?.account === from && !place.isGone ? [{ other, place }] : [];
      })
      .sort((left, right) => inOrderOfArrival(left.place, right.place));
    const exact = there.find(({ other }) => amountOf(other) === amount);
    const total = sum(there.map(({ other }) => amountOf(other)));
    if (exact === undefined ? amount < total : exact.other !== deal) return before;
    return isAccount(to) ? { account: to, since: count, before } : { ...before, isGone: true };
  }

  const passedOn: { movement: Movement; amount: bigint }[] = [];
  const accounts = new Map<Deal, Address>();
  for (const deal of deals) {
    // One after the other, so that the recursion stays flat.
    for (const count of movements.keys()) placeAfter(deal, count);
    let place = placeAfter(deal, movements.length);
    if (place !== undefined) accounts.set(deal.deal, place.account);
    for (; place?.before !== undefined; place = place.before) {
      passedOn.push({ movement: movements[place.since - 1] as Movement, amount: amountOf(deal) });
    }
  }
  return { accounts, passedOn };
}

/** Tokens that came together are in the order in which they reached the account before. */
function inOrderOfArrival(left: Place, right: Place): number {
  if (left.since !== right.since) return left.since - right.since;
  return left.before && right.before ? inOrderOfArrival(left.before, right.before) : 0;
}
