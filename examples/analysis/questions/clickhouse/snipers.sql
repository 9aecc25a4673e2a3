-- What do snipers make? Accounts that bought in the first three blocks of others' curves: the fifty that realised most with these
-- tokens, by average cost, and with how many of them they made a profit.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../snipers.sql: edit that one.
with results as (
  select t.mint as mint, trader as account, sum(bnb_amount) filter (where side = 'buy') as spent, sum(realised_bnb) as realised
  from launchpad.early_buyers e
  join launchpad.trades t on t.chain_id = e.chain_id and t.mint = e.mint and t.trader = e.account
  where e.chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
  group by t.mint, trader
)
select account, count(*) as tokens_sniped, count(realised) as tokens_sold, count(*) filter (where realised > 0) as tokens_with_profit,
  sum(spent) as spent_bnb, coalesce(sum(realised), 0) as realised_bnb
from results r join launchpad.tokens k on k.mint = r.mint
where chain_id = {chain:Int32} and created_timestamp >= {from:Int64} and created_timestamp < {until:Int64} and account <> creator
group by account
order by coalesce(sum(realised), 0) desc, account
limit 50
