-- Accounts that buy in the first blocks of a curve: how many of those tokens they have sold, for how much, and how many of them they
-- were the first to sell.
-- clickhouse local, run by hand in 26.7: --param_chain 56 --param_until 1763596800 --join_use_nulls 1
with bought as (
  select token_id, account_id, account from file('lake/early_buyers/*/*/*.parquet', Parquet)
  where chain_id = {chain:UInt32} and toUnixTimestamp(toDateTime(extract(_path, 'day=([0-9-]+)'), 'UTC')) < {until:UInt32}
), sells as (
  select token_id, trader_id, block, log_index, bnb_amount_wei from file('lake/trades/*/*/*.parquet', Parquet) as trades
  where chain_id = {chain:UInt32} and timestamp < {until:UInt32} and side = 'sell'
), first_sellers as (
  select token_id, argMin(trader_id, 1000000 * block + log_index) as trader_id from sells group by token_id
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
