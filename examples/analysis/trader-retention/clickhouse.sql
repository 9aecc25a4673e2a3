-- Trader cohorts by the week (starting on Monday, UTC) of their first trade: how many traded in each later week, and their volume.
-- clickhouse local, run by hand in 26.7: --param_chain 56 --param_until 1763596800 --join_use_nulls 1
with active as (
  select trader_id, intDiv(timestamp - 345600, 604800) as week, bnb_amount_wei
  from file('lake/trades/*/*/*.parquet', Parquet) as trades
  where chain_id = {chain:UInt32} and timestamp < {until:UInt32}
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
