-- Accounts that buy in the first blocks of a curve: how many of those tokens they have sold, for how much, and how many of them they
-- were the first to sell.
-- BigQuery, untested. Parameters: @chain, @until. The tables are external tables (README.md).
with bought as (
  select token_id, account_id, account from lake.early_buyers as early_buyers
  where chain = @chain and unix_seconds(timestamp(day)) < @until
), sells as (
  select token_id, trader_id, block, log_index, bnb_amount_wei from lake.trades as trades
  where chain = @chain and timestamp < @until and side = 'sell'
), first_sellers as (
  select token_id, array_agg(trader_id order by block, log_index limit 1)[offset(0)] as trader_id from sells group by token_id
), sellers as (
  select token_id, trader_id, sum(bnb_amount_wei) as received_wei from sells group by token_id, trader_id
)
select account, count(*) as tokens_bought_early, count(sellers.trader_id) as tokens_sold,
  count(first_sellers.trader_id) as tokens_sold_first, coalesce(sum(received_wei), 0) as received_wei
from bought
left join sellers on sellers.token_id = bought.token_id and sellers.trader_id = account_id
left join first_sellers on first_sellers.token_id = bought.token_id and first_sellers.trader_id = account_id
group by account
order by tokens_sold_first desc, tokens_bought_early desc, account
limit 20;
