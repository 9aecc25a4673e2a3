-- Accounts that buy in the first blocks of a curve: how many of these tokens they have sold, for how much, and of how many they were
-- the first of all to sell.
with bought as materialized (
  select token, account from early_buyers
  where chain = getvariable('chain') and epoch(day) < getvariable('until')
), sells as (
  select token, trader, block, log_index, bnb_amount_wei from trades
  where chain = getvariable('chain') and timestamp < getvariable('until') and side = 'sell'
), first_sellers as (
  select token, arg_min(trader, 1000000 * block + log_index) as trader from sells group by token
), sellers as (
  -- Only those who bought early.
  select token, trader, sum(bnb_amount_wei) as received_wei
  from sells semi join bought on bought.token = sells.token and account = trader
  group by token, trader
)
select account, count(*) as tokens_bought_early, count(sellers.trader) as tokens_sold,
  count(first_sellers.trader) as tokens_sold_first, coalesce(sum(received_wei), 0) as received_wei
from bought
left join sellers on sellers.token = bought.token and sellers.trader = account
left join first_sellers on first_sellers.token = bought.token and first_sellers.trader = account
group by account
order by tokens_sold_first desc, tokens_bought_early desc, account
limit 20;
