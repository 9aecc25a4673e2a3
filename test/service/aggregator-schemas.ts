import { z } from "zod";

/*
 * The response formats that aggregators expect, written from their documentation. Fields that it doesn't name are rejected.
 * Sources: DEX Screener Adapter Specs, v1.1 (December 2023), and CoinGecko's Ideal API Endpoints for DEXes.
 */

const amount = z.string().regex(/^\d+(\.\d+)?$/);
const positive = amount.refine((value) => /[1-9]/.test(value), "must be above 0");
const metadata = z.record(z.string(), z.string()).optional();
const id = z.string().min(1);
const index = z.int().min(0);
const name = z.string().regex(/\S/);

const block = z.strictObject({ blockNumber: index, blockTimestamp: index, metadata });
export const latestBlockResponse = z.strictObject({ block });

export const assetResponse = z.strictObject({
  asset: z.strictObject({
    id,
    name,
    symbol: name,
    totalSupply: amount.optional(),
    circulatingSupply: amount.optional(),
    coinGeckoId: z.string().optional(),
    coinMarketCapId: z.string().optional(),
    metadata,
  }),
});

export const pairResponse = z.strictObject({
  pair: z.strictObject({
    id,
    dexKey: id,
    asset0Id: id,
    asset1Id: id,
    createdAtBlockNumber: index.optional(),
    createdAtBlockTimestamp: index.optional(),
    createdAtTxnId: id.optional(),
    creator: id.optional(),
    feeBps: index.optional(),
    pool: z.strictObject({ id, name, assetIds: z.array(id), pairIds: z.array(id), metadata }).optional(),
    metadata,
  }),
});

const reserves = z.strictObject({ asset0: amount, asset1: amount });
const eventPosition = { block, txnId: id, txnIndex: index, eventIndex: index, maker: id, pairId: id };
const swap = z
  .strictObject({
    ...eventPosition,
    eventType: z.literal("swap"),
    asset0In: positive.optional(),
    asset1In: positive.optional(),
    asset0Out: positive.optional(),
    asset1Out: positive.optional(),
    priceNative: positive,
    reserves: reserves.optional(),
    metadata,
  })
  .refine((event) => {
    const given = ["asset0In", "asset1Out", "asset1In", "asset0Out"].map((key) => key in event).join();
    return given === "true,true,false,false" || given === "false,false,true,true";
  }, "must have one asset in, and the other out");
const joinOrExit = z.strictObject({
  ...eventPosition,
  eventType: z.enum(["join", "exit"]),
  amount0: amount,
  amount1: amount,
  reserves: reserves.optional(),
  metadata,
});
export const eventsResponse = z.strictObject({
  events: z.array(z.discriminatedUnion("eventType", [swap, joinOrExit])),
});

export const tickersResponse = z.array(
  z.strictObject({
    ticker_id: z.string().regex(/^[^_]+_[^_]+$/),
    base_currency: id,
    target_currency: id,
    pool_id: id,
    last_price: positive,
    base_volume: amount,
    target_volume: amount,
    liquidity_in_usd: amount,
    bid: amount.optional(),
    ask: amount.optional(),
    high: amount.optional(),
    low: amount.optional(),
  }),
);

const historicalTrade = <Type extends string>(type: Type) =>
  z.strictObject({
    trade_id: index,
    price: positive,
    base_volume: positive,
    target_volume: positive,
    /** Milliseconds. */
    trade_timestamp: z.int().min(1_000_000_000_000),
    type: z.literal(type),
  });
export const historicalTradesResponse = z.strictObject({
  buy: z.array(historicalTrade("buy")),
  sell: z.array(historicalTrade("sell")),
});
