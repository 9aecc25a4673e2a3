-- Do traders stay? Cohorts by the day of the first trade (UTC): how many of them trade again, days later, and for how much.
-- $1 chain, $2 and $3 Unix times: from (inclusive) and until (exclusive)
with firsts as (
  select trader, min(timestamp) as first_at from launchpad.trades
  where chain_id = $1 and timestamp < $3
  group by trader
), daily as (
  select trader, timestamp - timestamp % 86400 as day, sum(bnb_amount) as bnb from launchpad.trades
  where chain_id = $1 and timestamp >= $2 and timestamp < $3
  group by trader, timestamp - timestamp % 86400
), since as (
  select first_at - first_at % 86400 as cohort, day, bnb from daily join firsts using (trader)
)
select to_timestamp(cohort) as time, round((day - cohort) / 86400.0) as days_later, count(*) as traders, sum(bnb) as volume_bnb
from since
where cohort >= $2 - $2 % 86400
group by cohort, day
order by cohort, day
