-- Do traders stay? Cohorts by the day of the first trade (UTC): how many of them trade again, days later, and for how much.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../cohorts.sql: edit that one.
with firsts as (
  select trader, min(timestamp) as first_at from launchpad.trades
  where chain_id = {chain:Int32} and timestamp < {until:Int64}
  group by trader
), daily as (
  select trader, timestamp - timestamp % 86400 as day, sum(bnb_amount) as bnb from launchpad.trades
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
  group by trader, timestamp - timestamp % 86400
), since as (
  select first_at - first_at % 86400 as cohort, day, bnb from daily join firsts using (trader)
)
select fromUnixTimestamp(cohort) as time, round((day - cohort) / 86400.0) as days_later, count(*) as traders, sum(bnb) as volume_bnb
from since
where cohort >= {from:Int64} - {from:Int64} % 86400
group by cohort, day
order by cohort, day
