-- How concentrated is what people hold? At the end of each day (UTC), for the five most traded tokens: holders, the Gini coefficient (0:
-- equal balances, towards 1: one has everything) and the Herfindahl-Hirschman index (the sum of squared shares, 1: one has everything).
-- Without the launchpad, DEX pairs and burn addresses.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../concentration.sql: edit that one.
with most_traded as (
  select mint from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  group by mint
  order by sum(bnb_amount) desc, mint
  limit 5
), changes as (
  -- Of a list of tokens, Postgres reads the changes by their indexes; joined with the tokens it would read all changes.
  select mint, account, timestamp - timestamp % 86400 as day, sum(change_raw) as change
  from launchpad.balance_change
  where chain_id = ${chain} and timestamp < ${until} and mint in (select mint from most_traded)
  group by mint, account, timestamp - timestamp % 86400
), balances as (
  -- From the day on which a balance came about to that of the next one. Doubles: the square of a balance has more digits than
  -- DuckDB's or ClickHouse's decimals.
  select c.mint as mint, c.day as from_day, lead(c.day, 1, ${until}) over w as until_day,
    cast(sum(change) over w as double) as balance
  from changes c join launchpad.holders h on h.mint = c.mint and h.account = c.account
  where h.chain_id = ${chain} and kind = 'account'
  window w as (partition by c.mint, c.account order by c.day)
), days as (
  select distinct timestamp - timestamp % 86400 as day from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
), ranked as (
  select day, mint, balance, row_number() over (partition by day, mint order by balance) as place
  from balances join days on from_day <= day and day < until_day
  where balance > 0
)
select timestamp_seconds(day) as time, mint, count(*) as holders,
  2 * sum(place * balance) / (count(*) * sum(balance)) - (count(*) + 1.0) / count(*) as gini,
  sum(balance * balance) / (sum(balance) * sum(balance)) as hhi
from ranked
group by day, mint
order by day, mint
