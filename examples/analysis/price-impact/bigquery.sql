-- The price impact of buys on the curve, in millionths of the price before the buy, by their size in BNB.
-- BigQuery, untested. Parameters: @chain, @until. The tables are external tables (README.md).
with sized as (
  select bnb_amount_wei,
    case when bnb_amount_wei < 100000000000000 then 'a below 0.0001'
      when bnb_amount_wei < 1000000000000000 then 'b 0.0001 to 0.001'
      when bnb_amount_wei < 10000000000000000 then 'c 0.001 to 0.01'
      when bnb_amount_wei < 100000000000000000 then 'd 0.01 to 0.1'
      else 'e 0.1 and more' end as size_bnb,
    cast(bnb_reserves_wei as float64) as bnb_after,
    cast(token_reserves_raw as float64) as tokens_after,
    cast(bnb_reserves_wei - bnb_amount_wei as float64) as bnb_before,
    cast(token_reserves_raw + token_amount_raw as float64) as tokens_before
  from lake.trades as trades
  where chain = @chain and timestamp < @until and venue = 'curve' and side = 'buy'
    and bnb_reserves_wei > bnb_amount_wei and token_reserves_raw > 0
), moved as (
  select size_bnb, bnb_amount_wei,
    cast(floor(1000000 * ((bnb_after / bnb_before) * (tokens_before / tokens_after) - 1)) as int64) as impact
  from sized
)
select size_bnb, count(*) as buys, sum(bnb_amount_wei) as volume_wei, div(sum(impact), count(*)) as mean_impact,
  array_agg(impact order by impact)[ordinal(cast(ceil(0.5 * count(*)) as int64))] as median_impact,
  array_agg(impact order by impact)[ordinal(cast(ceil(0.9 * count(*)) as int64))] as p90_impact
from moved
group by size_bnb
order by size_bnb;
