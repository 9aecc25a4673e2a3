-- Trader cohorts by the week (starting on Monday, UTC) of their first trade: how many traded in each later week, and their volume.
-- Spark 3.4 or newer, untested: set spark.sql.session.timeZone=UTC; set chain=56; set until=1763596800;
create or replace temporary view trades using parquet options (path 'lake/trades');
with active as (
  select trader_id, (timestamp - 345600) div 604800 as week, bnb_amount_wei
  from trades
  where chain_id = ${chain} and timestamp < ${until}
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
