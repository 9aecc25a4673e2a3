-- The five most traded tokens of each week (starting on Monday, UTC), by volume in BNB.
-- clickhouse local, run by hand in 26.7: --param_chain 56 --param_until 1763596800 --join_use_nulls 1
with weekly as (
  select intDiv(timestamp - 345600, 604800) as week, token_id, sum(bnb_amount_wei) as volume_wei, count(*) as trades
  from file('lake/trades/*/*/*.parquet', Parquet)
  where chain_id = {chain:UInt32} and timestamp < {until:UInt32}
  group by 1, 2
), ranked as (
  select week, address as token, volume_wei, trades,
    row_number() over (partition by week order by volume_wei desc, address) as place
  from weekly join file('lake/tokens/*/day=2026-11-20/*.parquet', Parquet) as tokens using (token_id)
  where chain_id = {chain:UInt32}
)
select week * 604800 + 345600 as week_start, place, token, volume_wei, trades
from ranked
where place <= 5
order by week_start, place;
