import type { Event, EventNames } from "ponder:registry";
import {
  account,
  candle,
  curve,
  dexPair,
  holder,
  launchpad,
  position,
  token,
  tokenSymbol,
} from "ponder:schema";
import { storedIntervals, storedOpenTime } from "../curve/intervals.ts";
import { symbolHash } from "../curve/symbol-hash.ts";
import type { Address } from "../entities/context.ts";
import { stripNul } from "../entities/text.ts";
import { curveTrader, liquidityProvider, type Markets, swapTrader } from "./traders.ts";

const tables = { account, candle, curve, dexPair, holder, launchpad, position, token, tokenSymbol };
type Table = (typeof tables)[keyof typeof tables];

/** A row by its primary key. */
export type RowKey = { table: Table; key: Record<string, unknown> };

/** Looks a row up by its key, only in memory. */
type Peek = <T extends Table>(table: T, key: Record<string, unknown>) => T["$inferSelect"] | null | undefined;

type RowsRead<Event> = (event: Event, chainId: number, peek: Peek) => RowKey[];

/**
 * Declares which rows a handler will read for an event, so that they are prefetched together before it runs. A row that is not
 * declared is still found, but by a query of its own.
 */
export function reads<Handled, Handler extends object>(
  rowsRead: RowsRead<Handled>,
  handler: Handler,
): Handler {
  return Object.assign(handler, { rowsRead });
}

/** The rows that a trade on the curve reads. */
export const tradeRows: RowsRead<Event<"Launchpad:Trade">> = (event, chainId) =>
  marketTradeRows(chainId, event.args.token, curveTrader(event).account, event.block.timestamp);

/** The rows that a pair's Sync reads. */
export const syncRows = pairRows<"DexPair:Sync">((_, chainId, { token }) => [
  { table: curve, key: { chainId, token } },
]);

/** The rows that a swap on a pair reads. */
export const swapRows = pairRows<"DexPair:Swap">((event, chainId, markets) =>
  marketTradeRows(chainId, markets.token, swapTrader(event, markets, 0n).account, event.block.timestamp),
);

/** The rows that a change of a pair's liquidity reads. */
export const liquidityRows = pairRows<"DexPair:Mint" | "DexPair:Burn">((event, chainId, markets) => [
  { table: account, key: { chainId, address: liquidityProvider(event, markets, 0n).account } },
]);

/** The pair's own row, and those of its token once the pair is known. */
function pairRows<Name extends EventNames>(
  rowsOfToken: (event: Event<Name>, chainId: number, markets: Markets) => RowKey[],
): RowsRead<Event<Name> & { log: { address: Address } }> {
  return (event, chainId, peek) => {
    const key = { chainId, address: event.log.address };
    const pair = peek(dexPair, key);
    if (!pair) return [{ table: dexPair, key }];
    const launchpad = peek(token, { chainId, address: pair.token })?.launchpad;
    // The pair's first Sync will show the side. Until then, a guess may miss a row.
    const { address, tokenIsToken0 } = pair;
    const markets = { token: pair.token, launchpad, pair: { address, tokenIsToken0: tokenIsToken0 ?? true } };
    return [{ table: dexPair, key }, ...rowsOfToken(event, chainId, markets)];
  };
}

/** The rows that a transfer reads. */
export const transferRows: RowsRead<Event<"LaunchToken:Transfer">> = ({ args, log }, chainId, peek) => [
  { table: curve, key: { chainId, token: log.address } },
  ...pairOf(peek(curve, { chainId, token: log.address })),
  { table: token, key: { chainId, address: log.address } },
  ...[args.from, args.to].flatMap((address): RowKey[] => [
    { table: holder, key: { chainId, token: log.address, account: address } },
    { table: account, key: { chainId, address } },
  ]),
];

function pairOf(row: typeof curve.$inferSelect | null | undefined): RowKey[] {
  return row?.pair ? [{ table: dexPair, key: { chainId: row.chainId, address: row.pair } }] : [];
}

/** The rows that a token's creation reads. */
export const creationRows: RowsRead<Event<"TokenFactory:TokenCreated">> = ({ args }, chainId) => [
  { table: launchpad, key: { chainId } },
  { table: curve, key: { chainId, token: args.token } },
  { table: token, key: { chainId, address: args.token } },
  { table: holder, key: { chainId, token: args.token, account: args.creator } },
  { table: tokenSymbol, key: { chainId, symbolHash: symbolHash(stripNul(args.symbol)) } },
  { table: account, key: { chainId, address: args.creator } },
];

/** The rows that a curve's opening reads. */
export const openingRows: RowsRead<Event<"Launchpad:CurveOpened">> = ({ args }, chainId) => [
  { table: launchpad, key: { chainId } },
  { table: curve, key: { chainId, token: args.token } },
];

/** The rows that a graduation reads. */
export const graduationRows: RowsRead<Event<"Launchpad:Graduated">> = ({ args }, chainId) => [
  { table: launchpad, key: { chainId } },
  { table: curve, key: { chainId, token: args.token } },
  { table: token, key: { chainId, address: args.token } },
  { table: holder, key: { chainId, token: args.token, account: args.pair } },
  { table: dexPair, key: { chainId, address: args.pair } },
];

function marketTradeRows(chainId: number, traded: Address, trader: Address, timestamp: bigint): RowKey[] {
  return [
    { table: launchpad, key: { chainId } },
    { table: curve, key: { chainId, token: traded } },
    { table: position, key: { chainId, token: traded, account: trader } },
    { table: account, key: { chainId, address: trader } },
    ...storedIntervals.map((interval) => ({
      table: candle,
      key: { chainId, token: traded, interval, openTime: storedOpenTime(interval, timestamp) },
    })),
  ];
}
