-- Where is the volume? Trades and volume of each day (UTC) on the curves and on the DEX, in BNB, and in USD at each trade's own rate.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../volume-by-venue.sql: edit that one.
select timestamp_seconds(timestamp - timestamp % 86400) as time, venue, count(*) as trades, sum(bnb_amount) as volume_bnb,
  sum(usd_amount) as volume_usd
from launchpad.trades
where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
group by timestamp - timestamp % 86400, venue
order by timestamp - timestamp % 86400, venue
