import type pg from "pg";
import { addressSql, fractionSql, hexSql } from "./addresses.ts";
import { chainId, createdTokens, type FixtureSize, timeline, traders } from "./size.ts";

const { start, end, firstBlock } = timeline;

/** Share of tokens that have graduated, given enough trades. */
const graduatedShare = 0.05;

/** SQL for whether a token of this index graduates. */
export const graduatesSql = (index: string) => `(${fractionSql(index, 11)} < ${graduatedShare})`;

/** SQL for the second in which a token is created: three in a block, spread evenly over the time. */
export function createdAtSql(size: FixtureSize, index: string): string {
  return `(${start} + ((${index}) - (${index}) % 3)::bigint * ${end - start} / ${createdTokens(size)})`;
}

/** Totals to date, in the order of the chain: of all tokens, or of each. */
const toDate = (prefix: string, partition: string) =>
  `count(*) filter (where is_buy) over ${prefix}so_far::int as ${prefix}buys,
   count(*) filter (where not is_buy) over ${prefix}so_far::int as ${prefix}sells,
   sum(bnb) over ${prefix}so_far as ${prefix}volume`.replaceAll(
    `${prefix}so_far`,
    `(${partition} order by at, log_index rows unbounded preceding)`,
  );

/** Fills onchain.trade, in the order of the chain, half of them with few tokens that everybody trades. */
export async function fillTrades(client: pg.Client, size: FixtureSize): Promise<void> {
  const made = `floor((at - ${start})::float8 * ${createdTokens(size)} / ${end - start})::int - 3`;
  const weight = `case when ${fractionSql("trade", 1)} < 0.5 then ${fractionSql("trade", 2)}
                       else ${fractionSql("trade", 2)} ^ 6 end`;
  await client.query(
    `insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount_wei, token_amount_raw, price_bnb_x36,
       block, timestamp, tx, tx_index, log_index, bnb_reserves_wei, token_reserves_raw, buys_to_date, sells_to_date,
       volume_to_date_wei, volume_to_date_usd_x18, launchpad_buys_to_date, launchpad_sells_to_date,
       launchpad_volume_to_date_wei, launchpad_volume_to_date_usd_x18, realised_wei)
     select ${chainId}, lpad(block::text, 12, '0') || '-' || lpad(log_index::text, 6, '0'),
       ${addressSql("token", "token_index")}, ${addressSql("trader", "trader_index")},
       (case when ${graduatesSql("token_index")} and ${fractionSql("trade", 3)} < 0.7 then 'dex' else 'curve' end)
         ::onchain.trade_venue,
       (case when is_buy then 'buy' else 'sell' end)::onchain.trade_side,
       bnb, tokens, trunc(bnb::numeric * 1e36::numeric / tokens), block, at, ${hexSql("tx", "trade", 64)},
       log_index / 10, log_index, 1e17 + bnb, 9e26 - tokens, buys, sells, volume, 0,
       launchpad_buys, launchpad_sells, launchpad_volume, 0,
       case when not is_buy then floor(bnb * (${fractionSql("trade", 8)} - 0.5)::numeric) end
     from (
       select *, ${toDate("launchpad_", "")}
       from (
         select *, ${toDate("", "partition by token_index")}
         from (
           select trade, at, at - ${start} + ${firstBlock} as block, 100 + trade % 1000 as log_index,
             ${fractionSql("trade", 4)} < 0.6 as is_buy,
             floor(greatest(1, ${made}) * (${weight}))::int as token_index,
             floor(${traders(size)} * ${fractionSql("trade", 5)} ^ 3)::int as trader_index,
             (1e12 + 5e15 * ${fractionSql("trade", 6)} ^ 4)::numeric(30, 0) as bnb,
             (1e21 + 1e25 * ${fractionSql("trade", 7)} ^ 4)::numeric(30, 0) as tokens
           from (
             select trade, ${start} + (trade + 1) * ${end - start} / ${size.trades} as at
             from generate_series(0, ${size.trades - 1}::bigint) as trade
           ) timed
         ) chosen
       ) of_token
     ) of_all`,
  );
}

/** Fills onchain.position and onchain.launchpad, from the trades. */
export async function fillPositions(client: pg.Client, size: FixtureSize): Promise<void> {
  const of = (column: string, side: string) => `coalesce(sum(${column}) filter (where side = '${side}'), 0)`;
  await client.query(
    `insert into onchain.position (chain_id, token, account, buys, sells, tokens_bought_raw, tokens_sold_raw, bnb_spent_wei,
       bnb_received_wei, received_raw, received_cost_wei, sent_raw, sent_cost_wei, open_tokens_raw, open_cost_wei,
       realised_wei, first_trade_at, last_trade_at)
     select ${chainId}, token, trader, count(*) filter (where side = 'buy'), count(*) filter (where side = 'sell'),
       ${of("token_amount_raw", "buy")}, ${of("token_amount_raw", "sell")}, ${of("bnb_amount_wei", "buy")},
       ${of("bnb_amount_wei", "sell")}, 0, 0, 0, 0, ${of("token_amount_raw", "buy")}, ${of("bnb_amount_wei", "buy")}, 0,
       min(timestamp), max(timestamp)
     from onchain.trade group by token, trader`,
  );
  await client.query(
    `insert into onchain.launchpad (chain_id, tokens, graduated, buys_to_date, sells_to_date,
       volume_to_date_wei, volume_to_date_usd_x18, in_curves_wei, traders, sellers, creators, graduated_creators)
     select ${chainId}, ${createdTokens(size)}, 0, launchpad_buys_to_date, launchpad_sells_to_date,
       launchpad_volume_to_date_wei, 0, 0, 0, 0, 0, 0
     from onchain.trade order by id desc limit 1
     on conflict (chain_id) do update set tokens = excluded.tokens, buys_to_date = excluded.buys_to_date,
       sells_to_date = excluded.sells_to_date, volume_to_date_wei = excluded.volume_to_date_wei`,
  );
}
