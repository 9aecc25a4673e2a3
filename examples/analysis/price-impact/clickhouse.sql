-- The price impact of buys on the curve, in millionths of the price before the buy, by their size in BNB.
-- clickhouse local, run by hand in 26.7: --param_chain 56 --param_until 1763596800 --join_use_nulls 1
with sized as (
  select bnb_amount_wei,
    case when bnb_amount_wei < 100000000000000 then 'a below 0.0001'
      when bnb_amount_wei < 1000000000000000 then 'b 0.0001 to 0.001'
      when bnb_amount_wei < 10000000000000000 then 'c 0.001 to 0.01'
      when bnb_amount_wei < 100000000000000000 then 'd 0.01 to 0.1'
      else 'e 0.1 and more' end as size_bnb,
    toFloat64(bnb_reserves_wei) as bnb_after,
    toFloat64(token_reserves_raw) as tokens_after,
    toFloat64(bnb_reserves_wei - bnb_amount_wei) as bnb_before,
    toFloat64(token_reserves_raw + token_amount_raw) as tokens_before
  from file('lake/trades/*/*/*.parquet', Parquet)
  where chain_id = {chain:UInt32} and timestamp < {until:UInt32} and venue = 'curve' and side = 'buy'
    and bnb_reserves_wei > bnb_amount_wei and token_reserves_raw > 0
), moved as (
  select size_bnb, bnb_amount_wei,
    toInt64(floor(1000000 * ((bnb_after / bnb_before) * (tokens_before / tokens_after) - 1))) as impact
  from sized
)
select size_bnb, count(*) as buys, sum(bnb_amount_wei) as volume_wei, intDiv(sum(impact), count(*)) as mean_impact,
  arraySort(groupArray(impact))[toUInt64(ceil(0.5 * count(*)))] as median_impact,
  arraySort(groupArray(impact))[toUInt64(ceil(0.9 * count(*)))] as p90_impact
from moved
group by size_bnb
order by size_bnb;
