import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import { positionOf } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** Liquidity that was added to or removed from a pair, according to the logs. */
export type ObservedLiquidity = {
  token: Address;
  pair: Address;
  provider: Address;
  /** The account whose tokens were added, or that got those removed. */
  tokenAccount: Address;
  isAdded: boolean;
  bnb: bigint;
  tokens: bigint;
  event: ChainEvent;
  /** The pair's reserves just before the event, from its last Sync. */
  bnbReserves: bigint;
  tokenReserves: bigint;
};

export type LiquiditySource = {
  events: ChainEvent[];
  launchpad: Address;
  /** Pairs whose token0 is the launched token. */
  pairsWithToken0: Set<Address>;
  /** The account whose tokens each Mint and Burn moved. */
  accounts: Map<ChainEvent, Address>;
  providers: Map<ChainEvent, Address>;
};

/** Returns what the launchpad put into each pair, and what anybody has added or removed since. */
export function observeLiquidity({
  events,
  launchpad,
  pairsWithToken0,
  accounts,
  providers,
}: LiquiditySource): ObservedLiquidity[] {
  const graduations = new Map<Address, ChainEvent<"Graduated">>();
  const synced = new Map<Address, readonly [bigint, bigint]>();
  return events.flatMap((event): ObservedLiquidity[] => {
    const { name, args, emitter: pair } = event;
    const inOrder = (first: bigint, second: bigint) =>
      pairsWithToken0.has(pair) ? ([second, first] as const) : ([first, second] as const);
    if (name === "Graduated" && pair === launchpad) {
      graduations.set(args.pair, event);
      const { token, pair: opened, bnbLiquidity: bnb, tokenLiquidity: tokens } = args;
      const reserves = { bnbReserves: bnb, tokenReserves: tokens };
      const by = { provider: launchpad, tokenAccount: launchpad };
      return [{ token, pair: opened, ...by, isAdded: true, bnb, tokens, event, ...reserves }];
    }
    if (name === "Sync") synced.set(pair, inOrder(args.reserve0, args.reserve1));
    const token = graduations.get(pair)?.args.token;
    if ((name !== "Mint" && name !== "Burn") || token === undefined) return [];
    const [bnb, tokens] = inOrder(args.amount0, args.amount1);
    const [bnbReserves, tokenReserves] = synced.get(pair) ?? [0n, 0n];
    const isAdded = name === "Mint";
    const by = {
      provider: providers.get(event) as Address,
      tokenAccount: accounts.get(event) as Address,
    };
    return [{ token, pair, ...by, isAdded, bnb, tokens, event, bnbReserves, tokenReserves }];
  });
}

/** Returns the row of `liquidity_change`. */
export function liquidityRow(change: ObservedLiquidity): ExpectedRow {
  const { block, timestamp, tx, txIndex, logIndex } = change.event;
  return {
    id: positionOf(change.event),
    token: change.token,
    pair: change.pair,
    provider: change.provider,
    token_account: change.tokenAccount,
    kind: change.isAdded ? "add" : "remove",
    bnb_amount_wei: change.bnb,
    token_amount_raw: change.tokens,
    bnb_reserves_wei: change.bnbReserves,
    token_reserves_raw: change.tokenReserves,
    block,
    timestamp,
    tx,
    tx_index: txIndex,
    log_index: logIndex,
  };
}
