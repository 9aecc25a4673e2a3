-- Accounts that buy in the first blocks of a curve: how many of those tokens they have sold, for how much, and how many of them they
-- were the first to sell.
with bought as materialized (
  select token_id, account_id from early_buyers
  where chain = getvariable('chain') and epoch(day) < getvariable('until')
), sells as (
  select token_id, trader_id as account_id, 1000000 * block + log_index as position, bnb_amount_wei from trades
  where chain = getvariable('chain') and timestamp < getvariable('until') and side = 'sell'
), first_sellers as (
  select token_id, arg_min(account_id, position) as account_id from sells group by token_id
), sellers as (
  -- Only accounts that bought early.
  select token_id, account_id, sum(bnb_amount_wei) as received_wei
  from sells semi join bought using (token_id, account_id)
  group by token_id, account_id
), counted as materialized (
  select bought.account_id, count(*) as tokens_bought_early, count(sellers.account_id) as tokens_sold,
    count(first_sellers.account_id) as tokens_sold_first, coalesce(sum(received_wei), 0) as received_wei
  from bought
  left join sellers on sellers.token_id = bought.token_id and sellers.account_id = bought.account_id
  left join first_sellers
    on first_sellers.token_id = bought.token_id and first_sellers.account_id = bought.account_id
  group by bought.account_id
), best as materialized (
  -- The first twenty and those that tie with them: addresses break ties below.
  select * from counted qualify rank() over (order by tokens_sold_first desc, tokens_bought_early desc) <= 20
), names as (
  select distinct account_id, account from early_buyers
  where chain = getvariable('chain') and account_id in (select account_id from best)
)
select account, tokens_bought_early, tokens_sold, tokens_sold_first, received_wei
from best join names using (account_id)
order by tokens_sold_first desc, tokens_bought_early desc, account
limit 20;
