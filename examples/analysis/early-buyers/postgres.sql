-- Accounts that buy in the first blocks of a curve: how many of those tokens they have sold, for how much, and how many of them they
-- were the first to sell.
-- psql: set search_path to onchain; \set chain 56  \set until 1763596800
with bought as (
  select token, account from early_buyer
  where chain_id = :chain and block <= (select max(block) from trade where chain_id = :chain and timestamp < :until)
), sells as (
  select token, trader, block, log_index, bnb_amount_wei from trade
  where chain_id = :chain and timestamp < :until and side = 'sell'
), first_sellers as (
  select distinct on (token) token, trader from sells order by token, block, log_index
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
