import type { Event, EventNames } from "ponder:registry";
import { dexTrade, tokenIsToken0 } from "../domain/swap.ts";
import { findMoves, type MarketAction, type Movement, type Moves } from "../domain/traders.ts";
import type { Address } from "../entities/context.ts";

type Named<Name extends EventNames> = {
  eventCallback: { name: Name };
  event: { args: Event<Name>["args"]; log: { address: Address; logIndex: number } };
};
type AnyEvent = { [Name in EventNames]: Named<Name> }[EventNames];

/** Where a token is traded. */
export type Markets = {
  token: Address;
  /** Undefined where it isn't known, which only matters for tokens that were sent to it by mistake. */
  launchpad: Address | undefined;
  pair: { address: Address; tokenIsToken0: boolean } | undefined;
};

/** Whom an action in a market belongs to, and what its tokens were if not the announced amount: see `trade.tokensMovedRaw`. */
export type Attributed = { account: Address; tokensMovedRaw: bigint | null };

/** Returns the account that a trade on the curve belongs to. */
export function curveTrader(event: Event<"Launchpad:Trade">): Attributed {
  const { trader, tokenAmount } = event.args;
  return attribute(event, curveMarkets(event), trader, tokenAmount);
}

/** Returns the account that a swap on a token's pair belongs to. `amount` is what it traded, in base units. */
export function swapTrader(event: Event<"DexPair:Swap">, markets: Markets, amount: bigint): Attributed {
  // Without a movement in this transaction, the tokens had reached the pair before, and whoever calls it sells them.
  return attribute(event, markets, event.args.sender, amount);
}

/** Returns the account whose tokens were added to a pair's liquidity, or that got those that were removed. */
export function liquidityTokens(
  event: Event<"DexPair:Mint" | "DexPair:Burn">,
  markets: Markets,
  amount: bigint,
): Attributed {
  const { args } = event;
  return attribute(event, markets, "to" in args ? args.to : args.sender, amount);
}

/**
 * Returns the account that a pair's liquidity tokens reached, or came from, found as a trader is. Undefined if they reached none, or
 * had come to the pair before.
 */
export function liquidityProvider(event: Event<"DexPair:Mint" | "DexPair:Burn">): Address | undefined {
  const { address, logIndex } = event.log;
  const transaction = transactionOf(event);
  let moves = transaction.liquidityMoves.get(address);
  if (moves === undefined) {
    const own = transaction.eventsOf(address);
    const changes = own.flatMap((each): MarketAction[] => {
      const at = { logIndex: each.event.log.logIndex };
      // A pair makes liquidity tokens, and takes them back to destroy them.
      if (isNamed(each, "DexPair:Mint")) return [{ ...at, market: zeroAddress, gives: true }];
      return isNamed(each, "DexPair:Burn") ? [{ ...at, market: address, gives: false }] : [];
    });
    moves = findMoves(movementsIn(own, "DexPair:Transfer"), changes, [address]);
    transaction.liquidityMoves.set(address, moves);
  }
  return moves.actions.get(logIndex)?.account;
}

/** Returns the launchpad, which adds a token's first liquidity, and the pair that it adds it to. */
export function graduation(
  event: Event<"Launchpad:Graduated">,
): Attributed & { tokenIsToken0: boolean | null } {
  const { token, pair: address, tokenLiquidity } = event.args;
  const launchpad = event.log.address;
  const opened = transactionOf(event).openedPairs.get(token);
  const pair = opened?.address === address ? opened : undefined;
  const attributed = attribute(event, { token, launchpad, pair }, launchpad, tokenLiquidity);
  return { ...attributed, tokenIsToken0: pair?.isSynced === true ? pair.tokenIsToken0 : null };
}

/** What a movement is, in base units. */
export type MovementParts = {
  /** What is no part of a trade, a creation, a graduation or a change of liquidity. */
  transferredRaw: bigint;
  /** What the token's creation minted to the launchpad; below 0 for what it burned of it. */
  launchedRaw: bigint;
  /** Whether the cost of what is transferred is known, and moves, only at a later event: see {@link transfersAfter}. */
  isDelayed: boolean;
};

/** Tells what of a movement is a transfer. `pair` is the token's; null before its graduation. */
export function movementParts(
  event: Event<"LaunchToken:Transfer">,
  launchpad: Address,
  pair: { address: Address; tokenIsToken0: boolean | null } | null,
): MovementParts {
  const { from, to, value } = event.args;
  const { address: token, logIndex } = event.log;
  if (from === to) return { transferredRaw: 0n, launchedRaw: 0n, isDelayed: false };
  const transaction = transactionOf(event);
  const isLaunch = (from === zeroAddress && to === launchpad) || (from === launchpad && to === zeroAddress);
  if (isLaunch && logIndex < launchEnd(transaction.eventsOf(token))) {
    return { transferredRaw: 0n, launchedRaw: to === launchpad ? value : -value, isDelayed: false };
  }
  const known =
    pair === null || pair.tokenIsToken0 === null
      ? transaction.openedPairs.get(token)
      : { address: pair.address, tokenIsToken0: pair.tokenIsToken0 };
  const { carried, delayedMovements } = movesOf(transaction, { token, launchpad, pair: known });
  return {
    transferredRaw: value - (carried.get(logIndex) ?? 0n),
    launchedRaw: 0n,
    isDelayed: delayedMovements.has(logIndex),
  };
}

/** Returns the transfers that are made before a trade's or a liquidity change's event, but whose cost moves only after it. */
export function transfersAfter(
  event: Event<"Launchpad:Trade" | "DexPair:Swap" | "DexPair:Mint" | "DexPair:Burn">,
  markets: Markets,
): readonly { from: Address; to: Address; amount: bigint }[] {
  return movesOf(transactionOf(event), markets).delayed.get(event.log.logIndex) ?? [];
}

/** The markets of a token on whose curve a trade takes place. */
export function curveMarkets(event: Event<"Launchpad:Trade">): Markets {
  const { token } = event.args;
  return { token, launchpad: event.log.address, pair: transactionOf(event).openedPairs.get(token) };
}

const zeroAddress = "0x0000000000000000000000000000000000000000";

/** Returns the log index with which a token's creation ends; -1 if the transaction doesn't create it. */
function launchEnd(eventsOfToken: readonly AnyEvent[]): number {
  if (!eventsOfToken.some((each) => isNamed(each, "TokenFactory:TokenCreated"))) return -1;
  const last = eventsOfToken.findLast(
    (each) => isNamed(each, "TokenFactory:TokenCreated") || isNamed(each, "Launchpad:CurveOpened"),
  );
  return last?.event.log.logIndex ?? -1;
}

function attribute(
  event: { log: { logIndex: number } },
  markets: Markets,
  named: Address,
  amount: bigint,
): Attributed {
  const action = movesOf(transactionOf(event), markets).actions.get(event.log.logIndex);
  if (action === undefined) return { account: named, tokensMovedRaw: amount === 0n ? null : 0n };
  return { account: action.account, tokensMovedRaw: action.amount === amount ? null : action.amount };
}

function movesOf(transaction: Transaction, markets: Markets): Moves {
  const { token, launchpad, pair } = markets;
  const ofToken = transaction.moves.get(token) ?? [];
  const known = ofToken.find(
    ({ markets: other }) =>
      other.launchpad === launchpad &&
      other.pair?.address === pair?.address &&
      other.pair?.tokenIsToken0 === pair?.tokenIsToken0,
  );
  if (known !== undefined) return known.moves;
  const moves = findMovesOf(transaction, markets);
  transaction.moves.set(token, [...ofToken, { markets, moves }]);
  return moves;
}

function movementsIn(
  events: readonly AnyEvent[],
  name: "LaunchToken:Transfer" | "DexPair:Transfer",
): Movement[] {
  const movements: Movement[] = [];
  for (const each of events) {
    if (!isNamed(each, name)) continue;
    const { from, to, value } = each.event.args;
    movements.push({ logIndex: each.event.log.logIndex, from, to, amount: value });
  }
  return movements;
}

function findMovesOf(transaction: Transaction, { token, launchpad, pair }: Markets): Moves {
  const own = transaction.eventsOf(token);
  const movements = movementsIn(own, "LaunchToken:Transfer");
  const trades: MarketAction[] = [];
  for (const each of own) {
    if (!isNamed(each, "Launchpad:Trade")) continue;
    const { isBuy, tokenAmount } = each.event.args;
    const { address: market, logIndex } = each.event.log;
    trades.push({ logIndex, market, gives: isBuy, amount: tokenAmount });
  }
  const markets = [launchpad, pair?.address].filter((market) => market !== undefined);
  if (pair === undefined) return findMoves(movements, trades, markets);

  const graduated = own.find(
    (each): each is Named<"Launchpad:Graduated"> & AnyEvent =>
      isNamed(each, "Launchpad:Graduated") && each.event.args.pair === pair.address,
  )?.event;
  // What happens to the pair before the token graduates to it is in no table.
  const onPair = transaction.eventsOf(pair.address).flatMap((each): MarketAction[] => {
    const { logIndex } = each.event.log;
    if (graduated !== undefined && logIndex < graduated.log.logIndex) return [];
    const action = { logIndex, market: pair.address };
    if (isNamed(each, "DexPair:Swap")) {
      const { args } = each.event;
      const [tokenIn, tokenOut] = pair.tokenIsToken0
        ? [args.amount0In, args.amount0Out]
        : [args.amount1In, args.amount1Out];
      const { side } = dexTrade(args, pair.tokenIsToken0);
      return [{ ...action, gives: side === "buy", isBothWays: tokenIn > 0n && tokenOut > 0n }];
    }
    if (isNamed(each, "DexPair:Mint")) return [{ ...action, gives: false }];
    return isNamed(each, "DexPair:Burn") ? [{ ...action, gives: true }] : [];
  });
  const actions = [...trades, ...onPair].sort((left, right) => left.logIndex - right.logIndex);
  const moves = findMoves(movements, actions, markets);
  if (graduated === undefined) return moves;
  const { tokenLiquidity: amount } = graduated.args;
  const seeding = movements.findLast(
    (each) =>
      each.logIndex < graduated.log.logIndex &&
      each.from === graduated.log.address &&
      each.to === pair.address &&
      each.amount === amount,
  );
  if (seeding === undefined) return moves;
  return {
    ...moves,
    actions: new Map(moves.actions).set(graduated.log.logIndex, { account: graduated.log.address, amount }),
    carried: new Map(moves.carried).set(seeding.logIndex, amount),
  };
}

type OpenedPair = NonNullable<Markets["pair"]> & { isSynced: boolean };

/** What is found in a transaction's events, once for all of them. */
class Transaction {
  readonly events: readonly AnyEvent[];
  /** How tokens moved, by token: almost always in one set of markets only. */
  readonly moves = new Map<Address, { markets: Markets; moves: Moves }[]>();
  /** How the liquidity tokens of pairs moved, by pair. */
  readonly liquidityMoves = new Map<Address, Moves>();
  /** The pairs of the tokens that graduate, by token. */
  readonly openedPairs: ReadonlyMap<Address, OpenedPair>;
  readonly #byTokenOrPair: ReadonlyMap<Address, readonly AnyEvent[]>;

  constructor(events: readonly AnyEvent[]) {
    this.events = events;
    // Grouped, since it may have thousands, of as many tokens.
    this.#byTokenOrPair = Map.groupBy(events, ({ event }) =>
      "token" in event.args ? event.args.token : event.log.address,
    );
    this.openedPairs = findOpenedPairs(events);
  }

  /** Returns a token's events, or a pair's, in the order of the chain. */
  eventsOf(tokenOrPair: Address): readonly AnyEvent[] {
    return this.#byTokenOrPair.get(tokenOrPair) ?? [];
  }
}

const noPairs: ReadonlyMap<Address, OpenedPair> = new Map();

function findOpenedPairs(events: readonly AnyEvent[]): ReadonlyMap<Address, OpenedPair> {
  if (!events.some((each) => isNamed(each, "Launchpad:Graduated"))) return noPairs;
  const opened = new Map<Address, OpenedPair>();
  for (const graduation of events) {
    if (!isNamed(graduation, "Launchpad:Graduated") || opened.has(graduation.event.args.token)) continue;
    const { token: graduated, pair: address, tokenLiquidity } = graduation.event.args;
    const syncs = events.filter(
      (each): each is Named<"DexPair:Sync"> & AnyEvent =>
        isNamed(each, "DexPair:Sync") && each.event.log.address === address,
    );
    // The reserves that the graduation left: a launchpad may have emptied a pair first that somebody had put something into.
    const { logIndex } = graduation.event.log;
    const synced = syncs.findLast(({ event }) => event.log.logIndex < logIndex) ?? syncs[0];
    const { reserve0, reserve1 } = synced?.event.args ?? { reserve0: 0n, reserve1: 0n };
    opened.set(graduated, {
      address,
      tokenIsToken0: tokenIsToken0(tokenLiquidity, reserve0, reserve1),
      isSynced: synced !== undefined,
    });
  }
  return opened;
}

function isNamed<Name extends EventNames>(each: AnyEvent, name: Name): each is Named<Name> & AnyEvent {
  return each.eventCallback.name === name;
}

/** The last one that was asked for: its events, which share their array, come one after the other. */
let lastTransaction: Transaction | undefined;

/** `runtime/ponder/transaction-events.ts` gives each event all of its transaction's, in the order of the chain. */
function transactionOf(event: { transactionEvents?: readonly AnyEvent[]; log: object }): Transaction {
  const events = event.transactionEvents;
  if (events === undefined) throw new Error("Invariant(event): without its transaction's");
  if (lastTransaction?.events !== events) lastTransaction = new Transaction(events);
  return lastTransaction;
}
