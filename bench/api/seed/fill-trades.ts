import type pg from "pg";
import { addressSql, fractionSql, hexSql } from "./addresses.ts";
import { chainId, createdTokens, timeline, traders, type WorldSize } from "./size.ts";

const { start, end, firstBlock } = timeline;

/** Share of tokens that have graduated, given enough trades. */
const graduatedShare = 0.05;

/** SQL for whether a token of this index graduates. */
export const graduatesSql = (index: string) => `(${fractionSql(index, 11)} < ${graduatedShare})`;

/** SQL for the second in which a token is created: three in a block, spread evenly over the time. */
export function createdAtSql(size: WorldSize, index: string): string {
  return `(${start} + ((${index}) - (${index}) % 3)::bigint * ${end - start} / ${createdTokens(size)})`;
}

/** Fills onchain.trade, in the order of the chain, half of them with few tokens that everybody trades. */
export async function fillTrades(client: pg.Client, size: WorldSize): Promise<void> {
  const made = `floor((at - ${start})::float8 * ${createdTokens(size)} / ${end - start})::int - 3`;
  const weight = `case when ${fractionSql("trade", 1)} < 0.5 then ${fractionSql("trade", 2)}
                       else ${fractionSql("trade", 2)} ^ 6 end`;
  await client.query(
    `insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount, token_amount, price_x36,
       block, timestamp, tx, log_index)
     select ${chainId}, lpad(block::text, 12, '0') || '-' || lpad(log_index::text, 6, '0'),
       ${addressSql("token", "token_index")}, ${addressSql("trader", "trader_index")},
       (case when ${graduatesSql("token_index")} and ${fractionSql("trade", 3)} < 0.7 then 'dex' else 'curve' end)
         ::onchain.trade_venue,
       (case when ${fractionSql("trade", 4)} < 0.6 then 'buy' else 'sell' end)::onchain.trade_side,
       bnb, tokens, trunc(bnb::numeric * 1e36::numeric / tokens), block, at, ${hexSql("tx", "trade", 64)}, log_index
     from (
       select trade, at, at - ${start} + ${firstBlock} as block, 100 + trade % 1000 as log_index,
         floor(greatest(1, ${made}) * (${weight}))::int as token_index,
         floor(${traders(size)} * ${fractionSql("trade", 5)} ^ 3)::int as trader_index,
         (1e12 + 5e15 * ${fractionSql("trade", 6)} ^ 4)::numeric(30, 0) as bnb,
         (1e21 + 1e25 * ${fractionSql("trade", 7)} ^ 4)::numeric(30, 0) as tokens
       from (
         select trade, ${start} + (trade + 1) * ${end - start} / ${size.trades} as at
         from generate_series(0, ${size.trades - 1}::bigint) as trade
       ) timed
     ) chosen`,
  );
}
