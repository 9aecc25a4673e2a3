-- Where is the volume? Trades and volume of each day (UTC) on the curves and on the DEX, in BNB, and in USD at each trade's own rate.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../volume-by-venue.sql: edit that one.
select fromUnixTimestamp(timestamp - timestamp % 86400) as time, venue, count(*) as trades, sum(bnb_amount) as volume_bnb,
  sum(usd_amount) as volume_usd
from launchpad.trades
where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
group by timestamp - timestamp % 86400, venue
order by timestamp - timestamp % 86400, venue
