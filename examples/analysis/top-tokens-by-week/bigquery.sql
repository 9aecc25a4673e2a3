-- The five tokens of each week, which begins on Monday (UTC), by the BNB that was traded.
-- BigQuery, untested. Parameters: @chain, @until, @day the snapshot's. The tables are external ones (README.md).
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
