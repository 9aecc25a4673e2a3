-- The price impact of buys on the curve, in millionths of the price before the buy, by their size in BNB.
with sized as (
  select bnb_amount_wei,
    case when bnb_amount_wei < 100000000000000 then 'a below 0.0001'
      when bnb_amount_wei < 1000000000000000 then 'b 0.0001 to 0.001'
      when bnb_amount_wei < 10000000000000000 then 'c 0.001 to 0.01'
      when bnb_amount_wei < 100000000000000000 then 'd 0.01 to 0.1'
      else 'e 0.1 and more' end as size_bnb,
    bnb_reserves_wei::double as bnb_after,
    token_reserves_raw::double as tokens_after,
    (bnb_reserves_wei - bnb_amount_wei)::double as bnb_before,
    (token_reserves_raw + token_amount_raw)::double as tokens_before
  from trades
  where chain = getvariable('chain') and timestamp < getvariable('until') and venue = 'curve' and side = 'buy'
    and bnb_reserves_wei > bnb_amount_wei and token_reserves_raw > 0
), moved as (
  select size_bnb, bnb_amount_wei,
    floor(1000000 * ((bnb_after / bnb_before) * (tokens_before / tokens_after) - 1))::bigint as impact
  from sized
), summed as (
  select size_bnb, count(*) as buys, sum(bnb_amount_wei) as volume_wei, sum(impact) // count(*) as mean_impact,
    quantile_disc(impact, [0.5, 0.9]) as quantiles
  from moved
  group by size_bnb
)
select size_bnb, buys, volume_wei, mean_impact, quantiles[1] as median_impact, quantiles[2] as p90_impact
from summed
order by size_bnb;
