-- Who trades? Traders of each day (UTC): all, those who trade for the first time, and those who return.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../active-traders.sql: edit that one.
with firsts as (
  select trader, min(timestamp) as first_at from launchpad.trades
  where chain_id = ${chain} and timestamp < ${until}
  group by trader
), active as (
  select distinct timestamp - timestamp % 86400 as day, trader from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
)
select timestamp_seconds(day) as time, count(*) as traders, count(*) filter (where first_at >= day) as new_traders,
  count(*) filter (where first_at < day) as returning_traders
from active join firsts using (trader)
group by day
order by day
