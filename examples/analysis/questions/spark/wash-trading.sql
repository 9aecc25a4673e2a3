-- How much of the volume may be wash trading? Round trips of each day (UTC): an account sells what it bought with its trade of the
-- token just before, within ten minutes, give or take a tenth of the tokens. Volume is that of both trades.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../wash-trading.sql: edit that one.
with sequences as (
  select timestamp - timestamp % 86400 as day, trader, side, timestamp, bnb_amount, token_amount,
    lag(side) over w as last_side, lag(timestamp) over w as last_at, lag(bnb_amount) over w as last_bnb,
    lag(token_amount) over w as last_tokens
  from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  -- As one text: for two columns Postgres would read the trades by an index, each from another page.
  window w as (partition by mint || trader order by id)
), trips as (
  select day, count(*) as round_trips, count(distinct trader) as accounts, sum(bnb_amount + last_bnb) as round_trip_bnb
  from sequences
  where side = 'sell' and last_side = 'buy' and timestamp - last_at <= 600
    and token_amount between 0.9 * last_tokens and 1.1 * last_tokens
  group by day
), volumes as (
  select timestamp - timestamp % 86400 as day, sum(bnb_amount) as volume_bnb from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  group by timestamp - timestamp % 86400
)
select timestamp_seconds(day) as time, coalesce(round_trips, 0) as round_trips, coalesce(accounts, 0) as accounts,
  coalesce(round_trip_bnb, 0) as round_trip_bnb, volume_bnb
from volumes left join trips using (day)
order by day
