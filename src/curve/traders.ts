import { burnAddresses } from "./burn-addresses.ts";

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
};

/**
 * Finds the accounts behind a transaction's actions in the markets of one token, by following the tokens: who calls a market is
 * often a router, a bot or a bundler. A buy belongs to the account that the tokens reach. One that passes all of them on (a
 * router, up to any number of hops) only carried them; one that splits them keeps the buy. A sell belongs to the account that the
 * tokens came from, in the same way, and so do changes of liquidity.
 *
 * @param movements the token's, in the order of the chain
 * @param actions in the order of the chain
 * @param markets the launchpad and the pair, which nobody trades for
 * @returns the account by the action's log index, without actions that moved no tokens in this transaction
 */
export function findTraders(
  movements: readonly Movement[],
  actions: readonly MarketAction[],
  markets: readonly Address[],
): ReadonlyMap<number, Address> {
  const nobody = new Set<string>([...burnAddresses, ...markets]);
  const moved = movements.filter(({ from, to, amount }) => from !== to && amount > 0n);
  const legs = findLegs(
    moved.filter(({ from, to }) => !nobody.has(from) || !nobody.has(to)),
    actions,
  );
  const forwards = moved.map(({ from, to, ...rest }) => ({ ...rest, holder: from, next: to }));
  const bought = follow(forwards, legs.out, nobody);
  // What was bought in this transaction leads to no earlier seller.
  const backwards = moved.flatMap(({ from, to, ...rest }) =>
    bought.carried.has(rest.logIndex) ? [] : [{ ...rest, holder: to, next: from }],
  );
  const sold = follow(backwards.reverse(), legs.in, nobody);
  return new Map([...bought.accounts, ...sold.accounts]);
}

/** The movements out of markets and into them, by log index, with the log index of the action that each is part of. */
type Legs = { out: Map<number, number>; in: Map<number, number> };

function findLegs(movements: readonly Movement[], actions: readonly MarketAction[]): Legs {
  const legs: Legs = { out: new Map(), in: new Map() };
  const isFree = ({ logIndex }: Movement) => !legs.out.has(logIndex) && !legs.in.has(logIndex);
  const previous = new Map<Address, number>();
  for (const { logIndex, market, gives, amount } of actions) {
    const since = previous.get(market) ?? -1;
    previous.set(market, logIndex);
    const side = gives ? "from" : "to";
    const candidates = movements.filter((movement) => movement[side] === market && isFree(movement));
    const leg =
      amount === undefined
        ? // A pair's event comes last of what an action does.
          candidates.findLast((movement) => since < movement.logIndex && movement.logIndex < logIndex)
        : // The launchpad moves a buy's tokens after the event, and a sell's before it.
          candidates
            .filter((movement) => movement.amount === amount)
            .sort(
              (left, right) => Math.abs(left.logIndex - logIndex) - Math.abs(right.logIndex - logIndex),
            )[0];
    if (leg !== undefined) legs[gives ? "out" : "in"].set(leg.logIndex, logIndex);
  }
  return legs;
}

const sum = (movements: readonly { amount: bigint }[]) =>
  movements.reduce((total, { amount }) => total + amount, 0n);

/** A movement in the direction that is followed: from the market towards the buyer, or from the market back to the seller. */
type Step = { logIndex: number; holder: Address; next: Address; amount: bigint };

/** Tokens of an action that whoever has them may still pass on. */
type Parcel = { action: number; amount: bigint };

/**
 * @param starts the steps with which actions begin, with the action's log index
 * @returns the account at which each action's tokens end, and the steps that passed an action's tokens on
 */
function follow(
  steps: readonly Step[],
  starts: ReadonlyMap<number, number>,
  nobody: ReadonlySet<string>,
): { accounts: Map<number, Address>; carried: Set<number> } {
  const accounts = new Map<number, Address>();
  const carried = new Set<number>();
  const held = new Map<Address, Parcel[]>();
  const give = (account: Address, parcels: Parcel[]) => {
    held.set(account, [...(held.get(account) ?? []), ...parcels]);
    for (const { action } of parcels) accounts.set(action, account);
  };

  for (const { logIndex, holder, next, amount } of steps) {
    const action = starts.get(logIndex);
    if (action !== undefined) {
      give(next, [{ action, amount }]);
      continue;
    }
    const parcels = held.get(holder) ?? [];
    if (parcels.length === 0) continue;
    const same = parcels.find((parcel) => parcel.amount === amount);
    const moved = same === undefined ? parcels : [same];
    // Less than all: a part, or tokens that the holder has of old.
    if (amount < sum(moved)) continue;
    held.set(
      holder,
      parcels.filter((parcel) => !moved.includes(parcel)),
    );
    if (nobody.has(next)) continue;
    carried.add(logIndex);
    give(next, moved);
  }
  return { accounts, carried };
}
