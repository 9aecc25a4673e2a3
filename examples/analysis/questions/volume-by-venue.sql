-- Where is the volume? Trades and volume of each day (UTC) on the curves and on the DEX, in BNB, and in USD at each trade's own rate.
-- $1 chain, $2 and $3 Unix times: from (inclusive) and until (exclusive)
select to_timestamp(timestamp - timestamp % 86400) as time, venue, count(*) as trades, sum(bnb_amount) as volume_bnb,
  sum(usd_amount) as volume_usd
from launchpad.trades
where chain_id = $1 and timestamp >= $2 and timestamp < $3
group by timestamp - timestamp % 86400, venue
order by timestamp - timestamp % 86400, venue
