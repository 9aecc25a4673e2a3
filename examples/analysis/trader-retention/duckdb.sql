-- Trader cohorts by the week (starting on Monday, UTC) of their first trade: how many traded in each later week, and their volume.
with active as (
  select trader_id, (timestamp - 345600) // 604800 as week, bnb_amount_wei
  from trades
  where chain = getvariable('chain') and timestamp < getvariable('until')
), weekly as materialized (
  select trader_id, week, sum(bnb_amount_wei) as volume_wei from active group by trader_id, week
), firsts as (
  select trader_id, min(week) as first_week from weekly group by trader_id
)
select first_week * 604800 + 345600 as first_week_start, week - first_week as weeks_later, count(*) as traders,
  sum(volume_wei) as volume_wei
from weekly join firsts using (trader_id)
group by 1, 2
order by 1, 2;
