-- The five most traded tokens of each week (starting on Monday, UTC), by volume in BNB.
-- Spark 3.4 or newer, untested: set spark.sql.session.timeZone=UTC; set chain=56; set until=1763596800;
create or replace temporary view trades using parquet options (path 'lake/trades');
create or replace temporary view tokens using parquet options (path 'lake/tokens/chain=56/day=2026-11-20');
with weekly as (
  select (timestamp - 345600) div 604800 as week, token_id, sum(bnb_amount_wei) as volume_wei, count(*) as trades
  from trades
  where chain = ${chain} and timestamp < ${until}
  group by 1, 2
), ranked as (
  select week, address as token, volume_wei, trades,
    row_number() over (partition by week order by volume_wei desc, address) as place
  from weekly join tokens using (token_id)
  where chain_id = ${chain}
)
select week * 604800 + 345600 as week_start, place, token, volume_wei, trades
from ranked
where place <= 5
order by week_start, place;
