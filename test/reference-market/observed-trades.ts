import type { Address, Hex } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import { inUsd, ratioX36 } from "./prices.ts";

/** A trade according to the logs. Amounts in wei and base units, prices with 36 decimals, times in seconds. */
export type ObservedTrade = {
  id: string;
  token: Address;
  trader: Address;
  venue: "curve" | "dex";
  isBuy: boolean;
  bnb: bigint;
  tokens: bigint;
  bnbReserves: bigint;
  tokenReserves: bigint;
  block: bigint;
  timestamp: bigint;
  logIndex: number;
  tx: Hex;
  txIndex: number;
  /** The prices before and after the trade. */
  from: bigint;
  to: bigint;
  /** The USD per BNB at the time, with 8 decimals, and the values that follow from it: null without a price feed. */
  rate: bigint | null;
  fromUsd: bigint | null;
  toUsd: bigint | null;
  volumeUsd: bigint | null;
};

/** How a curve opened, and what has happened to it since. */
export type ObservedCurve = {
  burnPercent: number;
  opened: { block: bigint; bnb: bigint; tokens: bigint; toSell: bigint };
  opening: bigint;
  openingUsd: bigint | null;
  graduation?: {
    id: string;
    timestamp: bigint;
    pair: Address;
    bnbLiquidity: bigint;
    tokenLiquidity: bigint;
    tradesBefore: number;
  };
  /** When the pair's row last changed: at graduation, and with each Sync since. */
  pairChangedAt?: bigint;
  /** From the pair's last Sync since graduation. */
  dexPrice?: bigint;
  dexReserves?: { bnb: bigint; tokens: bigint };
  changedAt: bigint;
};

export type Market = {
  /** In chain order. */
  trades: ObservedTrade[];
  curves: Map<Address, ObservedCurve>;
  /** The price feed's last answer. */
  rate: { answer: bigint; timestamp: bigint } | undefined;
  answers: ChainEvent<"AnswerUpdated">[];
};

export type MarketSource = {
  events: ChainEvent[];
  launchpad: Address;
  priceFeeds: Address[];
  /** Pairs whose token0 is the launched token. */
  pairsWithToken0: Set<Address>;
  /** The trader of each trade's event. */
  accounts: Map<ChainEvent, Address>;
};

/** Goes through the events once and records all trades on curves and on the pairs of graduated tokens. */
export function observeMarket({
  events,
  launchpad,
  priceFeeds,
  pairsWithToken0,
  accounts,
}: MarketSource): Market {
  const market: Market = { trades: [], curves: new Map(), rate: undefined, answers: [] };
  const tokenOf = new Map<Address, Address>();
  const reservesOf = new Map<Address, [bnb: bigint, tokens: bigint]>();
  const lastOf = new Map<Address, ObservedTrade>();

  const curveOf = (token: Address) => {
    const curve = market.curves.get(token);
    if (curve === undefined) throw new Error(`${token} has no curve`);
    return curve;
  };

  function note(
    event: ChainEvent,
    what: Pick<
      ObservedTrade,
      "token" | "venue" | "isBuy" | "bnb" | "tokens" | "bnbReserves" | "tokenReserves"
    >,
  ): void {
    const { block, timestamp, logIndex, tx, txIndex } = event;
    const last = lastOf.get(what.token);
    const { opening, openingUsd } = curveOf(what.token);
    const from = last?.to ?? opening;
    const to = ratioX36(what.bnbReserves, what.tokenReserves);
    const rate = market.rate?.answer ?? null;
    const trade = {
      id: positionOf(event),
      trader: accounts.get(event) as Address,
      ...what,
      block,
      timestamp,
      logIndex,
      tx,
      txIndex,
      from,
      to,
      rate,
      fromUsd: (last === undefined ? openingUsd : last.toUsd) ?? inUsd(from, rate),
      toUsd: inUsd(to, rate),
      volumeUsd: inUsd(what.bnb, rate),
    };
    lastOf.set(what.token, trade);
    market.trades.push(trade);
    curveOf(what.token).changedAt = timestamp;
  }

  for (const event of events) {
    const { emitter, timestamp } = event;
    const token = tokenOf.get(emitter);
    if (event.name === "AnswerUpdated" && priceFeeds.includes(emitter) && event.args.current > 0n) {
      market.rate = { answer: event.args.current, timestamp };
      market.answers.push(event);
    } else if (event.name === "CurveOpened" && emitter === launchpad) {
      const { virtualBnbReserves: bnb, virtualTokenReserves: tokens, totalToSell: toSell } = event.args;
      const opening = ratioX36(bnb, tokens);
      market.curves.set(event.args.token, {
        burnPercent: event.args.burnPercent,
        opened: { block: event.block, bnb, tokens, toSell },
        opening,
        openingUsd: inUsd(opening, market.rate?.answer ?? null),
        changedAt: timestamp,
      });
    } else if (event.name === "Transfer" && event.args.value > 0n && market.curves.has(emitter)) {
      curveOf(emitter).changedAt = timestamp;
    } else if (event.name === "Trade" && emitter === launchpad) {
      const { isBuy, bnbAmount, tokenAmount, virtualBnbReserves, virtualTokenReserves } = event.args;
      note(event, {
        token: event.args.token,
        venue: "curve",
        isBuy,
        bnb: bnbAmount,
        tokens: tokenAmount,
        bnbReserves: virtualBnbReserves,
        tokenReserves: virtualTokenReserves,
      });
    } else if (event.name === "Graduated" && emitter === launchpad) {
      const { pair, bnbLiquidity, tokenLiquidity } = event.args;
      const curve = curveOf(event.args.token);
      const tradesBefore = market.trades.filter((trade) => trade.token === event.args.token).length;
      curve.graduation = {
        id: positionOf(event),
        timestamp,
        pair,
        tradesBefore,
        bnbLiquidity,
        tokenLiquidity,
      };
      curve.changedAt = timestamp;
      curve.pairChangedAt = timestamp;
      tokenOf.set(pair, event.args.token);
    } else if (event.name === "Sync" && token !== undefined) {
      const { reserve0, reserve1 } = event.args;
      const [bnb, tokens] = pairsWithToken0.has(emitter) ? [reserve1, reserve0] : [reserve0, reserve1];
      reservesOf.set(emitter, [bnb, tokens]);
      Object.assign(curveOf(token), {
        dexPrice: ratioX36(bnb, tokens),
        dexReserves: { bnb, tokens },
        changedAt: timestamp,
        pairChangedAt: timestamp,
      });
    } else if (event.name === "Swap" && token !== undefined) {
      const { amount0In, amount0Out, amount1In, amount1Out } = event.args;
      const gains = [amount0Out - amount0In, amount1Out - amount1In] as const;
      const [tokenGain, bnbGain] = pairsWithToken0.has(emitter) ? gains : [gains[1], gains[0]];
      const [bnbReserves, tokenReserves] = reservesOf.get(emitter) ?? [0n, 0n];
      note(event, {
        token,
        venue: "dex",
        isBuy: tokenGain > 0n,
        bnb: atLeast0(tokenGain > 0n ? -bnbGain : bnbGain),
        tokens: absolute(tokenGain),
        bnbReserves,
        tokenReserves,
      });
    }
  }
  return market;
}

/** An event's position in the chain, in the format of the index. */
export function positionOf({ block, logIndex }: Pick<ChainEvent, "block" | "logIndex">): string {
  return `${String(block).padStart(12, "0")}-${String(logIndex).padStart(6, "0")}`;
}

/** A trade's BNB can't be negative: BNB that flows in the opposite direction is a gift. */
function atLeast0(value: bigint): bigint {
  return value < 0n ? 0n : value;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
