import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import type { Holdings } from "./expected-holders.ts";
import type { ObservedLiquidity } from "./expected-liquidity.ts";
import type { Market } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

/** The number of tokens that an account created, how many of them graduated, and of how many it once held some but now holds none. */
export type CreatorRecord = { created: number; graduated: number; soldOut: number };

export function creatorRecord(
  creator: Address,
  created: ChainEvent<"TokenCreated">[],
  { curves }: Market,
  holdings: Holdings,
): CreatorRecord {
  const own = created.filter(({ args }) => args.creator === creator).map(({ args }) => args.token);
  return {
    created: own.length,
    graduated: own.filter((token) => curves.get(token)?.graduation !== undefined).length,
    soldOut: own.filter((token) => holdings.of(token, creator)?.balance === 0n).length,
  };
}

/**
 * Returns when each account was first seen: as a creator, a trader or a liquidity provider, or as a holder that wasn't a pair at the
 * time.
 */
export function firstSeen(
  events: ChainEvent[],
  {
    created,
    market,
    liquidity,
    launchpad,
  }: {
    created: ChainEvent<"TokenCreated">[];
    market: Market;
    liquidity: ObservedLiquidity[];
    launchpad: Address;
  },
): Map<Address, bigint> {
  const tokens = new Set(created.map(({ args }) => args.token));
  const nobody = new Set<string>([
    launchpad,
    `0x${"0".repeat(40)}`,
    "0x000000000000000000000000000000000000dead",
  ]);
  const seen = new Map<Address, bigint>();
  const noteSeen = (account: Address, at: bigint) => {
    if (at < (seen.get(account) ?? at + 1n)) seen.set(account, at);
  };
  for (const { args, timestamp } of created) noteSeen(args.creator, timestamp);
  for (const { trader, timestamp } of market.trades) noteSeen(trader, timestamp);
  for (const { provider, tokenAccount, event } of liquidity)
    for (const account of [provider, tokenAccount])
      if (account !== launchpad) noteSeen(account, event.timestamp);
  for (const { name, args, emitter, timestamp } of events) {
    if (name !== "Transfer" || !tokens.has(emitter) || args.value === 0n) continue;
    for (const account of [args.from, args.to]) if (!nobody.has(account)) noteSeen(account, timestamp);
  }
  return seen;
}

/** Returns when something last happened to an account's totals: a trade, or a creation, a graduation or a turn of its own tokens. */
export function lastChange(
  { address, firstSeenAt }: Pick<ExpectedAccount, "address" | "firstSeenAt">,
  {
    created,
    market,
    holdings,
  }: { created: ChainEvent<"TokenCreated">[]; market: Market; holdings: Holdings },
): bigint {
  const trades = market.trades.filter(({ trader }) => trader === address);
  const own = created
    .filter(({ args }) => args.creator === address)
    .flatMap(({ args: { token }, timestamp }) => [
      timestamp,
      market.curves.get(token)?.graduation?.timestamp,
      holdings.of(token, address)?.turnedAt,
    ]);
  return [...trades.map(({ timestamp }) => timestamp), ...own].reduce<bigint>(
    (last, time) => (time !== undefined && time > last ? time : last),
    firstSeenAt,
  );
}

export type ExpectedAccount = {
  address: Address;
  firstSeenAt: bigint;
  changedAt: bigint;
  record: CreatorRecord;
};

export function accountRow({ address, firstSeenAt, changedAt, record }: ExpectedAccount): ExpectedRow {
  return {
    address,
    first_seen_at: firstSeenAt,
    tokens_created: record.created,
    tokens_graduated: record.graduated,
    tokens_sold_out: record.soldOut,
    changed_at: changedAt,
  };
}
