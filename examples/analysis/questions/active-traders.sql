-- Who trades? Traders of each day (UTC): all, those who trade for the first time, and those who return.
-- $1 chain, $2 and $3 Unix times: from (inclusive) and until (exclusive)
with firsts as (
  select trader, min(timestamp) as first_at from launchpad.trades
  where chain_id = $1 and timestamp < $3
  group by trader
), active as (
  select distinct timestamp - timestamp % 86400 as day, trader from launchpad.trades
  where chain_id = $1 and timestamp >= $2 and timestamp < $3
)
select to_timestamp(day) as time, count(*) as traders, count(*) filter (where first_at >= day) as new_traders,
  count(*) filter (where first_at < day) as returning_traders
from active join firsts using (trader)
group by day
order by day
