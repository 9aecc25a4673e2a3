import { burnAddresses } from "./amounts.ts";

type Address = `0x${string}`;

/** A movement of a token, from its Transfer event. The amount is in base units. */
export type Movement = { logIndex: number; from: Address; to: Address; amount: bigint };

/** A trade or a change of liquidity. */
export type MarketAction = {
  logIndex: number;
  /** Where it happens: the launchpad, or the token's pair. */
  market: Address;
  /** Whether the market gives tokens away (a buy, removed liquidity) or gets some. */
  gives: boolean;
  /** Base units, on the launchpad. On the pair, tokens may have arrived earlier, or both ways. */
  amount?: bigint;
  /** Whether it is a swap with tokens both in and out: a flash swap. */
  isBothWays?: boolean;
};

type Trade = { account: Address; amount: bigint };

/** The tokens of the actions in the markets of one token, in one transaction. Amounts are in base units. */
export type Moves = {
  /**
   * Whom each action belongs to, by its log index, and what that account got from the market, or gave to it, in this transaction.
   * Without actions that moved no tokens.
   */
  actions: ReadonlyMap<number, Trade>;
  /** How much of a movement is part of actions, by its log index. The rest is a transfer. */
  carried: ReadonlyMap<number, bigint>;
  /**
   * Transfers between the movement with which a market gives tokens away and the event that says for what, by that event's log
   * index: they may move these tokens on, of which nobody knows before what they cost. Their amounts are what isn't carried.
   */
  delayed: ReadonlyMap<number, Movement[]>;
  /** Their log indexes. */
  delayedMovements: ReadonlySet<number>;
};

/**
 * Finds the accounts behind a transaction's actions in the markets of one token, by following the tokens: who calls a market is
 * often a router, a bot or a bundler. A buy belongs to the account that the tokens reach. One that passes all of them on (a
 * router, up to any number of hops) only carried them; one that splits them keeps the buy. A sell belongs to the account that the
 * tokens came from, in the same way, and so do changes of liquidity.
 *
 * The amounts add up: an account's balance changes by those of its actions and by the rests of its movements.
 *
 * @param movements the token's, in the order of the chain
 * @param actions in the order of the chain
 * @param markets the launchpad and the pair, which nobody trades for
 */
export function findMoves(
  movements: readonly Movement[],
  actions: readonly MarketAction[],
  markets: readonly Address[],
): Moves {
  if (actions.length === 0 || movements.length === 0) return nothing;
  const moved = movements.filter(({ from, to, amount }) => from !== to && amount > 0n);
  const [[movement], [action]] = [moved, actions];
  if (movement !== undefined && moved.length === 1 && action !== undefined && actions.length === 1) {
    // A movement can't return what it brought itself.
    return findSingleMove(movement, action, markets);
  }
  const nobody = new Set<string>([...burnAddresses, ...markets]);
  const legs = findLegs(moved, actions, nobody);
  const forwards = moved.map(({ from, to, ...rest }) => ({ ...rest, holder: from, next: to }));
  const bought = follow(forwards, legs.out, nobody);
  // What was bought in this transaction leads to no earlier seller.
  const backwards = moved.flatMap(({ from, to, ...rest }) =>
    bought.carried.has(rest.logIndex) ? [] : [{ ...rest, holder: to, next: from }],
  );
  const sold = follow(backwards.reverse(), legs.in, nobody);
  const traded = new Map<number, Trade>();
  for (const { accounts, amounts } of [bought, sold]) {
    for (const [action, account] of accounts)
      traded.set(action, { account, amount: amounts.get(action) ?? 0n });
  }
  const carried = new Map([...bought.carried, ...sold.carried]);
  const legsOnly = moved.filter(({ logIndex }) => legs.out.has(logIndex) || legs.in.has(logIndex));
  for (const { logIndex, amount } of legsOnly) carried.set(logIndex, amount);
  for (const { action, trade, movement } of findReturns(moved, actions, traded)) {
    traded.set(action, { ...trade, amount: trade.amount - movement.amount });
    carried.set(movement.logIndex, movement.amount);
  }
  return { actions: traded, carried, ...findDelayed(moved, carried, legs) };
}

const nothing: Moves = {
  actions: new Map(),
  carried: new Map(),
  delayed: new Map(),
  delayedMovements: new Set(),
};

/** The same for a single movement and a single action, as in almost every transaction: it is the action's, or a transfer. */
function findSingleMove(
  { logIndex, from, to, amount }: Movement,
  action: MarketAction,
  markets: readonly Address[],
): Moves {
  const [market, account] = action.gives ? [from, to] : [to, from];
  const isOfAction =
    market === action.market &&
    (action.amount === undefined ? logIndex < action.logIndex : amount === action.amount);
  const isNobody = (address: Address) => burnAddresses.has(address) || markets.includes(address);
  if (!isOfAction || (isNobody(from) && isNobody(to))) return nothing;
  return {
    ...nothing,
    actions: new Map([[action.logIndex, { account, amount }]]),
    carried: new Map([[logIndex, amount]]),
  };
}

function findDelayed(
  movements: readonly Movement[],
  carried: Moves["carried"],
  legs: Legs,
): Pick<Moves, "delayed" | "delayedMovements"> {
  const delayed = new Map<number, Movement[]>();
  const delayedMovements = new Set<number>();
  let until = -1;
  for (const movement of movements) {
    const { logIndex } = movement;
    const amount = movement.amount - (carried.get(logIndex) ?? 0n);
    if (logIndex < until && amount > 0n) {
      const due = delayed.get(until) ?? [];
      due.push({ ...movement, amount });
      delayed.set(until, due);
      delayedMovements.add(logIndex);
    }
    until = Math.max(until, legs.out.get(logIndex) ?? -1);
  }
  return { delayed, delayedMovements };
}

/** Finds what the account of a flash swap paid back to the pair, or got from it first. */
function* findReturns(
  movements: readonly Movement[],
  actions: readonly MarketAction[],
  traded: Moves["actions"],
): Generator<{ action: number; trade: Trade; movement: Movement }> {
  if (!actions.some(({ isBothWays }) => isBothWays)) return;
  const leaving = Map.groupBy(movements, ({ from }) => from);
  const arriving = Map.groupBy(movements, ({ to }) => to);
  const previous = new Map<Address, number>();
  for (const { logIndex, market, gives, isBothWays } of actions) {
    const since = previous.get(market) ?? -1;
    previous.set(market, logIndex);
    const trade = traded.get(logIndex);
    if (isBothWays !== true || trade === undefined) continue;
    const candidates = (gives ? arriving : leaving).get(market) ?? [];
    // Not beyond the market's previous action, so that no movement is looked at twice.
    const movement = candidates
      .slice(countBefore(candidates, since), countBefore(candidates, logIndex))
      .findLast(({ from, to }) => (gives ? from : to) === trade.account);
    if (movement !== undefined) yield { action: logIndex, trade, movement };
  }
}

/** The movements out of markets and into them, by log index, with the log index of the action that each is part of. */
type Legs = { out: Map<number, number>; in: Map<number, number> };

function findLegs(
  movements: readonly Movement[],
  actions: readonly MarketAction[],
  nobody: ReadonlySet<string>,
): Legs {
  const hasAccount = ({ from, to }: Movement) => !nobody.has(from) || !nobody.has(to);
  const legs: Legs = { out: new Map(), in: new Map() };
  // By market, since a transaction may have thousands of each.
  const leaving = Map.groupBy(movements, ({ from }) => from);
  const arriving = Map.groupBy(movements, ({ to }) => to);
  const byAmount = new Map<Movement[], Map<bigint, Movement[]>>();
  const previous = new Map<Address, number>();
  for (const { logIndex, market, gives, amount } of actions) {
    const since = previous.get(market) ?? -1;
    previous.set(market, logIndex);
    const candidates = (gives ? leaving : arriving).get(market);
    if (candidates === undefined) continue;
    let leg: Movement | undefined;
    if (amount === undefined) {
      // A pair's event comes last of what an action does.
      leg = candidates[countBefore(candidates, logIndex) - 1];
      // If it is one to a burn address, nobody got the tokens, whoever got some before.
      if (leg !== undefined && (leg.logIndex < since || !hasAccount(leg))) continue;
    } else {
      const ofAmount =
        byAmount.get(candidates) ?? Map.groupBy(candidates.filter(hasAccount), (movement) => movement.amount);
      byAmount.set(candidates, ofAmount);
      leg = takeNearest(ofAmount.get(amount) ?? [], logIndex);
    }
    if (leg !== undefined) legs[gives ? "out" : "in"].set(leg.logIndex, logIndex);
  }
  return legs;
}

/** Returns the number of movements before a log index. */
function countBefore(movements: readonly Movement[], logIndex: number): number {
  let [from, to] = [0, movements.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const movement = movements[middle];
    if (movement !== undefined && movement.logIndex < logIndex) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Removes the movement nearest to an action, the earlier of two, and returns it. The launchpad moves a buy's tokens after the event,
 * and a sell's before it.
 */
function takeNearest(movements: Movement[], logIndex: number): Movement | undefined {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (const [index, movement] of movements.entries()) {
    const distance = Math.abs(movement.logIndex - logIndex);
    if (distance < least) [nearest, least] = [index, distance];
  }
  return movements.splice(nearest, 1)[0];
}

/** A movement in the direction that is followed: from the market towards the buyer, or from the market back to the seller. */
type Step = { logIndex: number; holder: Address; next: Address; amount: bigint };

/** Tokens of an action that whoever has them may still pass on. */
type Parcel = { action: number; amount: bigint };

/**
 * @param starts the steps with which actions begin, with the action's log index
 * @returns the account at which each action's tokens end, how many those are, and how many of them the steps passed on
 */
function follow(
  steps: readonly Step[],
  starts: ReadonlyMap<number, number>,
  nobody: ReadonlySet<string>,
): { accounts: Map<number, Address>; amounts: Map<number, bigint>; carried: Map<number, bigint> } {
  const accounts = new Map<number, Address>();
  const amounts = new Map<number, bigint>();
  const carried = new Map<number, bigint>();
  /** In the order in which the account got them. */
  const held = new Map<Address, { parcels: Parcel[]; total: bigint }>();
  const give = (account: Address, parcels: Parcel[], total: bigint) => {
    const heldBefore = held.get(account);
    if (heldBefore === undefined) held.set(account, { parcels, total });
    else {
      for (const parcel of parcels) heldBefore.parcels.push(parcel);
      heldBefore.total += total;
    }
  };
  const end = (account: Address, parcels: readonly Parcel[]) => {
    for (const { action } of parcels) accounts.set(action, account);
  };

  for (const { logIndex, holder, next, amount } of steps) {
    const action = starts.get(logIndex);
    if (action !== undefined) {
      amounts.set(action, amount);
      give(next, [{ action, amount }], amount);
      continue;
    }
    const has = held.get(holder);
    if (has === undefined) continue;
    const same = has.parcels.findIndex((parcel) => parcel.amount === amount);
    // Less than all: a part, or tokens that the holder has of old.
    if (same < 0 && amount < has.total) continue;
    const moved = same < 0 ? has.parcels : has.parcels.splice(same, 1);
    const total = same < 0 ? has.total : amount;
    has.total -= total;
    if (same < 0 || has.parcels.length === 0) held.delete(holder);
    if (nobody.has(next)) {
      end(holder, moved);
      continue;
    }
    carried.set(logIndex, total);
    give(next, moved, total);
  }
  for (const [account, { parcels }] of held) end(account, parcels);
  return { accounts, amounts, carried };
}
