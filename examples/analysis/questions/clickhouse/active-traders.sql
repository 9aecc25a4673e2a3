-- Who trades? Traders of each day (UTC): all, those who trade for the first time, and those who return.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../active-traders.sql: edit that one.
with firsts as (
  select trader, min(timestamp) as first_at from launchpad.trades
  where chain_id = {chain:Int32} and timestamp < {until:Int64}
  group by trader
), active as (
  select distinct timestamp - timestamp % 86400 as day, trader from launchpad.trades
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
)
select fromUnixTimestamp(day) as time, count(*) as traders, count(*) filter (where first_at >= day) as new_traders,
  count(*) filter (where first_at < day) as returning_traders
from active join firsts using (trader)
group by day
order by day
