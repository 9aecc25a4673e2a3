-- Accounts that buy in the first blocks of a curve: how many of those tokens they have sold, for how much, and how many of them they
-- were the first to sell.
-- Spark 3.4 or newer, untested: set spark.sql.session.timeZone=UTC; set chain=56; set until=1763596800;
create or replace temporary view trades using parquet options (path 'lake/trades');
create or replace temporary view early_buyers using parquet options (path 'lake/early_buyers');
with bought as (
  select token_id, account_id, account from early_buyers
  where chain = ${chain} and unix_timestamp(day) < ${until}
), sells as (
  select token_id, trader_id, block, log_index, bnb_amount_wei from trades
  where chain_id = ${chain} and timestamp < ${until} and side = 'sell'
), first_sellers as (
  select token_id, min_by(trader_id, 1000000 * block + log_index) as trader_id from sells group by token_id
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
