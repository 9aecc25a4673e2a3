-- How long do tokens live? The tokens that are at least so many days old, and how many of them were traded at that age or later.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../survival.sql: edit that one.
with traded as (
  select mint, max(timestamp) as last_at from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  group by mint
), created as (
  select created_timestamp as birth, last_at from launchpad.tokens left join traded using (mint)
  where chain_id = ${chain} and created_timestamp >= ${from} and created_timestamp < ${until}
)
select age as age_days, count(*) as tokens, count(*) filter (where last_at >= birth + 86400 * age) as traded_since,
  100.0 * count(*) filter (where last_at >= birth + 86400 * age) / count(*) as percent
from range(0, 31) as ages (age) join created on birth + 86400 * age <= ${until}
group by age
order by age
