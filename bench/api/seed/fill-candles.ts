import type pg from "pg";
import { chainId } from "./size.ts";

const lengths = { "1m": 60, "1h": 3_600 };

/** Fills onchain.candle from the trades, each interval opening at its first trade's price. */
export async function fillCandles(client: pg.Client): Promise<void> {
  for (const [interval, seconds] of Object.entries(lengths)) {
    await client.query(
      `insert into onchain.candle (chain_id, token, interval, open_time, open_bnb_x36, high_bnb_x36, low_bnb_x36, close_bnb_x36,
         volume_wei, volume_raw, trades)
       select ${chainId}, token, '${interval}', timestamp - timestamp % ${seconds},
         (array_agg(price_bnb_x36 order by id))[1], max(price_bnb_x36), min(price_bnb_x36), (array_agg(price_bnb_x36 order by id desc))[1],
         sum(bnb_amount_wei), sum(token_amount_raw), count(*)
       from onchain.trade group by token, timestamp - timestamp % ${seconds}`,
    );
  }
}

/** Fills onchain.early_buyer: who bought a token's first three trades. */
export async function fillEarlyBuyers(client: pg.Client): Promise<void> {
  await client.query(
    `insert into onchain.early_buyer (chain_id, token, account, block, bought_raw)
     select ${chainId}, token, trader, min(block), sum(token_amount_raw) from onchain.trade
     where buys_to_date + sells_to_date <= 3 and side = 'buy' group by token, trader`,
  );
}
