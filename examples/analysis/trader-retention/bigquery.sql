-- Trader cohorts by the week (starting on Monday, UTC) of their first trade: how many traded in each later week, and their volume.
-- BigQuery, untested. Parameters: @chain, @until. The tables are external tables (README.md).
with active as (
  select trader_id, div(timestamp - 345600, 604800) as week, bnb_amount_wei
  from lake.trades as trades
  where chain = @chain and timestamp < @until
), weekly as (
  select trader_id, week, sum(bnb_amount_wei) as volume_wei from active group by trader_id, week
), since as (
  select week, volume_wei, min(week) over (partition by trader_id) as first_week from weekly
)
select first_week * 604800 + 345600 as first_week_start, week - first_week as weeks_later, count(*) as traders,
  sum(volume_wei) as volume_wei
from since
group by 1, 2
order by 1, 2;
