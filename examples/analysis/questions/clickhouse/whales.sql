-- What do whales do? The ten accounts that trade most, and everyone else: BNB that they paid and received each day (UTC).
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../whales.sql: edit that one.
with whales as (
  select trader, 1 as is_whale from launchpad.trades
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
  group by trader
  order by sum(bnb_amount) desc, trader
  limit 10
)
select fromUnixTimestamp(timestamp - timestamp % 86400) as time,
  coalesce(sum(bnb_amount) filter (where is_whale = 1 and side = 'buy'), 0) as whales_paid_bnb,
  coalesce(sum(bnb_amount) filter (where is_whale = 1 and side = 'sell'), 0) as whales_received_bnb,
  coalesce(sum(bnb_amount) filter (where is_whale is null and side = 'buy'), 0) as others_paid_bnb,
  coalesce(sum(bnb_amount) filter (where is_whale is null and side = 'sell'), 0) as others_received_bnb
from launchpad.trades left join whales using (trader)
where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
group by timestamp - timestamp % 86400
order by timestamp - timestamp % 86400
