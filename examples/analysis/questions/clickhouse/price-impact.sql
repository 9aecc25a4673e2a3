-- How far does a trade move the price? By venue, side and size in BNB, in percent of the price before it, up for buys and down for sells.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../price-impact.sql: edit that one.
with sized as (
  select venue, side, bnb_amount, case when bnb_amount < 0.0001 then 'a below 0.0001' when bnb_amount < 0.001 then 'b 0.0001 to 0.001'
    when bnb_amount < 0.01 then 'c 0.001 to 0.01' when bnb_amount < 0.1 then 'd 0.01 to 0.1' else 'e 0.1 and more' end as size_bnb,
    abs(100 * (cast(price_after_bnb as Nullable(Float64)) / nullif(cast(price_before_bnb as Nullable(Float64)), 0) - 1)) as impact
  from launchpad.trades
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
)
select venue, side, size_bnb, count(*) as trades, sum(bnb_amount) as volume_bnb,
  if(count(impact) = 0, null, arraySort(groupArray(impact))[toUInt32(ceil(0.5 * count(impact)))]) as median_percent,
  if(count(impact) = 0, null, arraySort(groupArray(impact))[toUInt32(ceil(0.9 * count(impact)))]) as p90_percent
from sized
group by venue, side, size_bnb
order by venue, side, size_bnb
