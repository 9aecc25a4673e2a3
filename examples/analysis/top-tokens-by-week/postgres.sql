-- The five most traded tokens of each week (starting on Monday, UTC), by volume in BNB.
-- psql: set search_path to onchain; \set chain 56  \set until 1763596800
with weekly as (
  select (timestamp - 345600) / 604800 as week, token, sum(bnb_amount_wei) as volume_wei, count(*) as trades
  from trade
  where chain_id = :chain and timestamp < :until
  group by 1, 2
), ranked as (
  select *, row_number() over (partition by week order by volume_wei desc, token) as place from weekly
)
select week * 604800 + 345600 as week_start, place, token, volume_wei, trades
from ranked
where place <= 5
order by week_start, place;
