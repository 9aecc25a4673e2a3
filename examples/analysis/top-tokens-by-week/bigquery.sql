-- The five most traded tokens of each week (starting on Monday, UTC), by volume in BNB.
-- BigQuery, untested. Parameters: @chain, @until, @day of the snapshot. The tables are external tables (README.md).
with weekly as (
  select div(timestamp - 345600, 604800) as week, token_id, sum(bnb_amount_wei) as volume_wei, count(*) as trades
  from lake.trades as trades
  where chain = @chain and timestamp < @until
  group by 1, 2
), ranked as (
  select week, address as token, volume_wei, trades,
    row_number() over (partition by week order by volume_wei desc, address) as place
  from weekly join lake.tokens as tokens using (token_id)
  where chain = @chain and day = @day
)
select week * 604800 + 345600 as week_start, place, token, volume_wei, trades
from ranked
where place <= 5
order by week_start, place;
