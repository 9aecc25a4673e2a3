-- Do traders stay? Cohorts by the day of the first trade (UTC): how many of them trade again, days later, and for how much.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../cohorts.sql: edit that one.
with firsts as (
  select trader, min(timestamp) as first_at from launchpad.trades
  where chain_id = ${chain} and timestamp < ${until}
  group by trader
), daily as (
  select trader, timestamp - timestamp % 86400 as day, sum(bnb_amount) as bnb from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  group by trader, timestamp - timestamp % 86400
), since as (
  select first_at - first_at % 86400 as cohort, day, bnb from daily join firsts using (trader)
)
select timestamp_seconds(cohort) as time, round((day - cohort) / 86400.0) as days_later, count(*) as traders, sum(bnb) as volume_bnb
from since
where cohort >= ${from} - ${from} % 86400
group by cohort, day
order by cohort, day
