-- The five most traded tokens of each week (starting on Monday, UTC), by volume in BNB.
with weekly as materialized (
  select (timestamp - 345600) // 604800 as week, token_id, sum(bnb_amount_wei) as volume_wei, count(*) as trades
  from trades
  where chain = getvariable('chain') and timestamp < getvariable('until')
  group by 1, 2
), bounds as (
  -- The fifth largest volume of each week, so that only candidates for the first five are sorted.
  select week, list_min(max(volume_wei, 5)) as least from weekly group by week
), best as materialized (
  select weekly.* from weekly join bounds using (week) where volume_wei >= least
), ranked as (
  select best.*, address as token, row_number() over (partition by week order by volume_wei desc, address) as place
  from best join tokens using (token_id)
  where chain = getvariable('chain')
)
select week * 604800 + 345600 as week_start, place, token, volume_wei, trades
from ranked
where place <= 5
order by week_start, place;
