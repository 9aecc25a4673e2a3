import type { Event, EventNames } from "ponder:registry";
import {
  account,
  candle,
  curve,
  dexPair,
  earlyBuyer,
  holder,
  launchpad,
  position,
  token,
  tokenSymbol,
} from "ponder:schema";
import { symbolHash } from "../domain/ids.ts";
import { storedIntervals, storedOpenTime } from "../domain/intervals.ts";
import type { Address } from "../entities/context.ts";
import { isEarly } from "../entities/holder.ts";
import { hasPosition } from "../entities/position.ts";
import { stripNul } from "../entities/token.ts";
import {
  curveTrader,
  liquidityProvider,
  liquidityTokens,
  type Markets,
  movementParts,
  swapTrader,
} from "./traders.ts";

const tables = {
  account,
  candle,
  curve,
  dexPair,
  earlyBuyer,
  holder,
  launchpad,
  position,
  token,
  tokenSymbol,
};
type Table = (typeof tables)[keyof typeof tables];

/** A row by its primary key. */
type RowKey = { table: Table; key: Record<string, unknown> };

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
export const liquidityRows = pairRows<"DexPair:Mint" | "DexPair:Burn">((event, chainId, markets) => {
  const { account: tokenAccount } = liquidityTokens(event, markets, 0n);
  return [
    { table: account, key: { chainId, address: liquidityProvider(event) ?? tokenAccount } },
    { table: account, key: { chainId, address: tokenAccount } },
    { table: position, key: { chainId, token: markets.token, account: tokenAccount } },
  ];
});

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
export const transferRows: RowsRead<Event<"LaunchToken:Transfer">> = (event, chainId, peek) => [
  { table: curve, key: { chainId, token: event.log.address } },
  ...rowsOfCurve(event, peek(curve, { chainId, token: event.log.address })),
  { table: token, key: { chainId, address: event.log.address } },
  ...[event.args.from, event.args.to].flatMap((address): RowKey[] => [
    { table: holder, key: { chainId, token: event.log.address, account: address } },
    { table: account, key: { chainId, address } },
  ]),
  ...positionsMoved(event, chainId, peek),
];

/** The positions of accounts between which a transfer moves tokens: not of those that only carry what others trade. */
function positionsMoved(event: Event<"LaunchToken:Transfer">, chainId: number, peek: Peek): RowKey[] {
  const { from, to, value } = event.args;
  const traded = event.log.address;
  const launchpad = peek(token, { chainId, address: traded })?.launchpad;
  const pair = peek(curve, { chainId, token: traded })?.pair;
  const pairRow = pair ? (peek(dexPair, { chainId, address: pair }) ?? null) : null;
  if (launchpad !== undefined && (!pair || pairRow !== null)) {
    if (value === 0n || movementParts(event, launchpad, pairRow).transferredRaw === 0n) return [];
  }
  return [from, to]
    .filter((address) => hasPosition(address, { launchpad, pair }))
    .map((account) => ({ table: position, key: { chainId, token: traded, account } }));
}

/** What a transfer reads once its token's curve is known. */
function rowsOfCurve(
  { args, block }: Event<"LaunchToken:Transfer">,
  row: typeof curve.$inferSelect | null | undefined,
): RowKey[] {
  if (!row) return [];
  const { chainId, token, pair } = row;
  return [
    ...(pair ? [{ table: dexPair, key: { chainId, address: pair } }] : []),
    ...(isEarly(row.openedBlock, block.number)
      ? [{ table: earlyBuyer, key: { chainId, token, account: args.to } }]
      : []),
  ];
}

/** The rows that a token's creation reads. */
export const creationRows: RowsRead<Event<"TokenFactory:TokenCreated">> = ({ args }, chainId) => [
  { table: launchpad, key: { chainId } },
  { table: curve, key: { chainId, token: args.token } },
  { table: token, key: { chainId, address: args.token } },
  { table: holder, key: { chainId, token: args.token, account: args.creator } },
  { table: position, key: { chainId, token: args.token, account: args.creator } },
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
    { table: token, key: { chainId, address: traded } },
    { table: position, key: { chainId, token: traded, account: trader } },
    { table: account, key: { chainId, address: trader } },
    ...storedIntervals.map((interval) => ({
      table: candle,
      key: { chainId, token: traded, interval, openTime: storedOpenTime(interval, timestamp) },
    })),
  ];
}
