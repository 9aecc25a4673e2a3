-- What do whales do? The ten accounts that trade most, and everyone else: BNB that they paid and received each day (UTC).
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../whales.sql: edit that one.
with whales as (
  select trader, 1 as is_whale from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  group by trader
  order by sum(bnb_amount) desc, trader
  limit 10
)
select timestamp_seconds(timestamp - timestamp % 86400) as time,
  coalesce(sum(bnb_amount) filter (where is_whale = 1 and side = 'buy'), 0) as whales_paid_bnb,
  coalesce(sum(bnb_amount) filter (where is_whale = 1 and side = 'sell'), 0) as whales_received_bnb,
  coalesce(sum(bnb_amount) filter (where is_whale is null and side = 'buy'), 0) as others_paid_bnb,
  coalesce(sum(bnb_amount) filter (where is_whale is null and side = 'sell'), 0) as others_received_bnb
from launchpad.trades left join whales using (trader)
where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
group by timestamp - timestamp % 86400
order by timestamp - timestamp % 86400
