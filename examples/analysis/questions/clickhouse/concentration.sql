-- How concentrated is what people hold? At the end of each day (UTC), for the five most traded tokens: holders, the Gini coefficient (0:
-- equal balances, towards 1: one has everything) and the Herfindahl-Hirschman index (the sum of squared shares, 1: one has everything).
-- Without the launchpad, DEX pairs and burn addresses.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../concentration.sql: edit that one.
with most_traded as (
  select mint from launchpad.trades
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
  group by mint
  order by sum(bnb_amount) desc, mint
  limit 5
), changes as (
  select b.mint as mint, b.account as account, timestamp - timestamp % 86400 as day, sum(change_raw) as change
  from most_traded
  join launchpad.holders h on h.chain_id = {chain:Int32} and h.mint = most_traded.mint and kind = 'account'
  join launchpad.balance_change b on b.chain_id = {chain:Int32} and b.mint = h.mint and b.account = h.account
  where timestamp < {until:Int64}
  group by b.mint, b.account, timestamp - timestamp % 86400
), days as (
  select distinct timestamp - timestamp % 86400 as day from launchpad.trades
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
), balances as (
  -- Doubles: the square of a balance has more digits than DuckDB's or ClickHouse's decimals.
  select d.day as day, mint, account, cast(sum(change) as Nullable(Float64)) as balance
  from days d join changes c on c.day <= d.day
  group by d.day, mint, account
  having sum(change) > 0
), ranked as (
  select day, mint, balance, row_number() over (partition by day, mint order by balance) as place from balances
)
select fromUnixTimestamp(day) as time, mint, count(*) as holders,
  2 * sum(place * balance) / (count(*) * sum(balance)) - (count(*) + 1.0) / count(*) as gini,
  sum(balance * balance) / (sum(balance) * sum(balance)) as hhi
from ranked
group by day, mint
order by day, mint
