import { testSchema } from "../service/indexer.ts";
import { windowSeconds } from "./expected-windows.ts";

/*
 * Values that aren't stored but derived from the tables, in the way that the tables are designed for: a window from two running
 * totals, and a window's traders from the time of their last trade.
 */

const seconds = Object.entries(windowSeconds).map(([name, length]) => `('${name}', ${length})`);

/** $1 is the chain, $2 the time at which the windows end. */
export const windowsInTables = `
  select curve.token, span.name as window,
         curve.buys_to_date - coalesce(past.buys_to_date, 0) as buys,
         curve.sells_to_date - coalesce(past.sells_to_date, 0) as sells,
         curve.volume_to_date_wei - coalesce(past.volume_to_date_wei, 0) as volume,
         curve.volume_to_date_usd_x18 - coalesce(past.volume_to_date_usd_x18, 0) as volume_usd_x18,
         (select count(*) from ${testSchema}.position
           where position.chain_id = curve.chain_id and position.token = curve.token
             and position.last_trade_at > $2::bigint - span.seconds) as traders,
         case when past.id is null then curve.opening_price_bnb_x36
              else div(past.bnb_reserves_wei * 10::numeric ^ 36, past.token_reserves_raw) end as price_before,
         curve.close_price_bnb_x36 as price_now
    from ${testSchema}.curve
   cross join (values ${seconds.join(", ")}) span (name, seconds)
    left join lateral (
      select * from ${testSchema}.trade
       where trade.chain_id = curve.chain_id and trade.token = curve.token
         and trade.timestamp <= $2::bigint - span.seconds
       order by trade.timestamp desc, trade.id desc limit 1) past on true
   where curve.chain_id = $1`;

/** $1 the chain. */
export const sharesInTables = `
  select token.address as token, token.total_supply_raw as supply, token.circulating_raw as circulating,
         token.balance_squares_raw as squares, token.insiders, token.insider_balance_raw, token.insider_received_raw,
         token.sniper_balance_raw, token.bundler_balance_raw, token.creator_balance_raw as creator_balance,
         coalesce((select balance_raw from ${testSchema}.holder
           where holder.chain_id = token.chain_id and holder.token = token.address
             and holder.account = token.creator and kind = 'account'), 0) as creator,
         (select coalesce(sum(balance_raw), 0) from (
           select balance_raw from ${testSchema}.holder
            where holder.chain_id = token.chain_id and holder.token = token.address and kind = 'account'
            order by balance_raw desc limit 10) ten) as top_ten,
         (select coalesce(sum(balance_raw), 0) from ${testSchema}.holder
            join ${testSchema}.early_buyer using (chain_id, token, account)
           where chain_id = token.chain_id and token = token.address and kind = 'account') as early_buyers
    from ${testSchema}.token where token.chain_id = $1`;

/** $1 the chain. */
export const accountTotalsInTables = `
  select account.address as account,
         (select count(*) from ${testSchema}.trade
           where trade.chain_id = account.chain_id and trade.trader = account.address) as trades,
         (select count(*) from ${testSchema}.holder
           where holder.chain_id = account.chain_id and holder.account = account.address
             and kind = 'account' and balance_raw > 0) as tokens_held,
         coalesce(sums.tokens_traded, 0) as tokens_traded,
         coalesce(sums.spent, 0) as spent,
         coalesce(sums.received, 0) as received,
         coalesce(sums.realised, 0) as realised
    from ${testSchema}.account
    left join lateral (
      select count(*) as tokens_traded, sum(bnb_spent_wei) as spent, sum(bnb_received_wei) as received,
             sum(realised_wei) as realised
        from ${testSchema}.position
       where position.chain_id = account.chain_id and position.account = account.address) sums on true
   where account.chain_id = $1`;
