-- How long do tokens live? The tokens that are at least so many days old, and how many of them were traded at that age or later.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../survival.sql: edit that one.
with traded as (
  select mint, max(timestamp) as last_at from launchpad.trades
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
  group by mint
), created as (
  select created_timestamp as birth, last_at from launchpad.tokens left join traded using (mint)
  where chain_id = {chain:Int32} and created_timestamp >= {from:Int64} and created_timestamp < {until:Int64}
)
select age as age_days, count(*) as tokens, count(*) filter (where last_at >= birth + 86400 * age) as traded_since,
  100.0 * count(*) filter (where last_at >= birth + 86400 * age) / count(*) as percent
from (select arrayJoin(range(31)) as age) as ages join created on birth + 86400 * age <= {until:Int64}
group by age
order by age
