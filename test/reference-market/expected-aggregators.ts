import { formatEther, formatUnits, getAddress } from "viem";
import type { ObservedLiquidity } from "./expected-liquidity.ts";
import type { LoggedTrade } from "./market-logs.ts";

/* The answers to aggregators that follow from the trades and liquidity in the chain's logs, computed independently. */

/** The price that the trade paid, in BNB per token. */
const paidPrice = ({ bnb, tokens }: LoggedTrade) => formatUnits((bnb * 10n ** 50n) / tokens, 50);

/** Returns a trade as DEX Screener's swap event. */
export function expectedSwap(trade: LoggedTrade) {
  const [bnb, tokens] = [formatEther(trade.bnb), formatEther(trade.tokens)];
  return {
    block: { blockNumber: trade.block, blockTimestamp: trade.timestamp },
    eventType: "swap",
    txnId: trade.tx,
    txnIndex: trade.txIndex,
    eventIndex: trade.logIndex,
    maker: trade.maker,
    pairId: trade.pair,
    ...(trade.isBuy ? { asset1In: bnb, asset0Out: tokens } : { asset0In: tokens, asset1Out: bnb }),
    priceNative: paidPrice(trade),
    reserves: { asset0: formatEther(trade.tokenReserves), asset1: formatEther(trade.bnbReserves) },
  };
}

/** Returns a change of liquidity as DEX Screener's join or exit event. */
export function expectedJoinOrExit(change: ObservedLiquidity) {
  const { block, timestamp, tx, txIndex, logIndex } = change.event;
  return {
    block: { blockNumber: Number(block), blockTimestamp: Number(timestamp) },
    eventType: change.isAdded ? "join" : "exit",
    txnId: tx,
    txnIndex: txIndex,
    eventIndex: logIndex,
    maker: getAddress(change.provider),
    pairId: getAddress(change.pair),
    amount0: formatEther(change.tokens),
    amount1: formatEther(change.bnb),
    reserves: { asset0: formatEther(change.tokenReserves), asset1: formatEther(change.bnbReserves) },
  };
}

/** Returns CoinGecko's historical trades, in the order of the given trades. */
export function expectedHistoricalTrades(trades: LoggedTrade[]) {
  const ofType = (type: "buy" | "sell") =>
    trades
      .filter(({ isBuy }) => isBuy === (type === "buy"))
      .map((trade) => ({
        trade_id: trade.block * 1_000_000 + trade.logIndex,
        price: paidPrice(trade),
        base_volume: formatEther(trade.tokens),
        target_volume: formatEther(trade.bnb),
        trade_timestamp: trade.timestamp * 1_000,
        type,
      }));
  return { buy: ofType("buy"), sell: ofType("sell") };
}

/** The price after the trade, in BNB per token with 36 decimals. */
const priceAfter = ({ bnbReserves, tokenReserves }: LoggedTrade) =>
  (bnbReserves * 10n ** 36n) / tokenReserves;

function openingPrice(burnPercent: bigint): bigint {
  const startTokens = (((10n ** 27n * (100n - burnPercent)) / 100n) * 9n) / 5n;
  return (10n ** 17n * 10n ** 36n) / startTokens;
}

/**
 * Computes the fields of CoinGecko's ticker that follow from trades.
 *
 * @param trades all of the token's trades in final blocks
 * @param now the end of the 24-hour window, in seconds since 1970
 */
export function expectedTicker(trades: LoggedTrade[], now: number, burnPercent: bigint) {
  const start = now - 24 * 60 * 60;
  const inWindow = trades.filter(({ timestamp }) => timestamp > start);
  const before = trades.findLast(({ timestamp }) => timestamp <= start);
  const prices = [
    before === undefined ? openingPrice(burnPercent) : priceAfter(before),
    ...inWindow.map(priceAfter),
  ].sort((left, right) => (left < right ? -1 : 1));
  const last = trades.at(-1) as LoggedTrade;
  return {
    pool_id: last.pair.toLowerCase(),
    last_price: formatUnits(priceAfter(last), 36),
    base_volume: sum(inWindow.map(({ tokens }) => tokens)),
    target_volume: sum(inWindow.map(({ bnb }) => bnb)),
    high: formatUnits(prices.at(-1) as bigint, 36),
    low: formatUnits(prices[0] as bigint, 36),
  };
}

const sum = (amounts: bigint[]) => formatEther(amounts.reduce((total, amount) => total + amount, 0n));
