-- How far does a trade move the price? By venue, side and size in BNB, in percent of the price before it, up for buys and down for sells.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../price-impact.sql: edit that one.
with sized as (
  select venue, side, bnb_amount, case when bnb_amount < 0.0001 then 'a below 0.0001' when bnb_amount < 0.001 then 'b 0.0001 to 0.001'
    when bnb_amount < 0.01 then 'c 0.001 to 0.01' when bnb_amount < 0.1 then 'd 0.01 to 0.1' else 'e 0.1 and more' end as size_bnb,
    abs(100 * (cast(price_after_bnb as double) / nullif(cast(price_before_bnb as double), 0) - 1)) as impact
  from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
)
select venue, side, size_bnb, count(*) as trades, sum(bnb_amount) as volume_bnb,
  percentile_disc(0.5) within group (order by impact) as median_percent,
  percentile_disc(0.9) within group (order by impact) as p90_percent
from sized
group by venue, side, size_bnb
order by venue, side, size_bnb
