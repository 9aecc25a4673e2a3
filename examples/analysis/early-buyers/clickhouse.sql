-- Accounts that buy in the first blocks of a curve: how many of these tokens they have sold, for how much, and of how many they were
-- the first of all to sell.
-- clickhouse local, untested: --param_chain 56 --param_until 1763596800 --join_use_nulls 1
with bought as (
  select token, account from file('lake/early_buyers/*/*/*.parquet', Parquet)
  where chain_id = {chain:UInt32} and toUnixTimestamp(toDateTime(extract(_path, 'day=([0-9-]+)'), 'UTC')) < {until:UInt32}
), sells as (
  select token, trader, block, log_index, bnb_amount_wei from file('lake/trades/*/*/*.parquet', Parquet) as trades
  where chain_id = {chain:UInt32} and timestamp < {until:UInt32} and side = 'sell'
), first_sellers as (
  select token, argMin(trader, 1000000 * block + log_index) as trader from sells group by token
), sellers as (
  select token, trader, sum(bnb_amount_wei) as received_wei from sells group by token, trader
)
select account, count(*) as tokens_bought_early, count(sellers.trader) as tokens_sold,
  count(first_sellers.trader) as tokens_sold_first, coalesce(sum(received_wei), 0) as received_wei
from bought
left join sellers on sellers.token = bought.token and sellers.trader = account
left join first_sellers on first_sellers.token = bought.token and first_sellers.trader = account
group by account
order by tokens_sold_first desc, tokens_bought_early desc, account
limit 20;
