import type { Address } from "viem";
import type { ExpectedMarket } from "./expected-market.ts";
import { sum } from "./groups.ts";

/** An account on a leaderboard. Amounts in wei, and in USD with 18 decimals: null if a trade had no rate. */
export type ExpectedLeader = {
  address: Address;
  trades: number;
  sells: number;
  profitableSells: number;
  volume: bigint;
  volumeUsd: bigint | null;
  realised: bigint;
  realisedUsd: bigint | null;
  created: number;
  graduated: number;
};

export const boardWindows = { "24h": 86_400n, "7d": 604_800n, "30d": 2_592_000n, all: undefined };
export type BoardWindow = keyof typeof boardWindows;

const orders = {
  realised: {
    value: ({ realised }: ExpectedLeader) => realised,
    isOnIt: ({ sells }: ExpectedLeader) => sells > 0,
  },
  volume: {
    value: ({ volume }: ExpectedLeader) => volume,
    isOnIt: ({ trades }: ExpectedLeader) => trades > 0,
  },
  trades: {
    value: ({ trades }: ExpectedLeader) => trades,
    isOnIt: ({ trades }: ExpectedLeader) => trades > 0,
  },
  created: {
    value: ({ created }: ExpectedLeader) => created,
    isOnIt: ({ created }: ExpectedLeader) => created > 0,
  },
  graduated: {
    value: ({ graduated }: ExpectedLeader) => graduated,
    isOnIt: ({ graduated }: ExpectedLeader) => graduated > 0,
  },
};
export type Board = keyof typeof orders;
export const boardNames = Object.keys(orders) as Board[];

/** Returns all accounts on a board, in its order. */
export function expectedLeaders(expected: ExpectedMarket, by: Board, window: BoardWindow): ExpectedLeader[] {
  const length = boardWindows[window];
  const isIn = ({ timestamp }: { timestamp: bigint }) =>
    length === undefined || timestamp > expected.head.timestamp - length;
  const { value, isOnIt } = orders[by];
  return expected.accounts
    .map(({ address }) => leader(expected, address, isIn))
    .filter(isOnIt)
    .toSorted((left, right) =>
      value(left) === value(right)
        ? Number(left.address < right.address) - Number(left.address > right.address)
        : Number(value(left) < value(right)) - Number(value(left) > value(right)),
    );
}

function leader(
  { market, created, tradeResults }: ExpectedMarket,
  address: Address,
  isIn: (at: { timestamp: bigint }) => boolean,
): ExpectedLeader {
  const trades = market.trades.filter((trade) => trade.trader === address && isIn(trade));
  const results = trades.filter(({ isBuy }) => !isBuy).map(({ id }) => tradeResults.get(id));
  const own = created.filter(({ args }) => args.creator === address);
  return {
    address,
    trades: trades.length,
    sells: results.length,
    profitableSells: results.filter((result) => (result?.realised ?? 0n) > 0n).length,
    volume: sum(trades.map(({ bnb }) => bnb)),
    volumeUsd: sumOrNull(trades.map(({ volumeUsd }) => volumeUsd)),
    realised: sum(results.map((result) => result?.realised ?? 0n)),
    realisedUsd: sumOrNull(results.map((result) => result?.realisedUsd ?? null)),
    created: own.filter(isIn).length,
    graduated: own.filter(({ args }) => {
      const graduation = market.curves.get(args.token)?.graduation;
      return graduation !== undefined && isIn(graduation);
    }).length,
  };
}

function sumOrNull(values: (bigint | null)[]): bigint | null {
  const known = values.flatMap((value) => (value === null ? [] : [value]));
  return known.length === values.length ? sum(known) : null;
}
