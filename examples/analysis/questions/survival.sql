-- How long do tokens live? The tokens that are at least so many days old, and how many of them were traded at that age or later.
-- $1 chain, $2 and $3 Unix times: from (inclusive) and until (exclusive)
with traded as (
  select mint, max(timestamp) as last_at from launchpad.trades
  where chain_id = $1 and timestamp >= $2 and timestamp < $3
  group by mint
), created as (
  select created_timestamp as birth, last_at from launchpad.tokens left join traded using (mint)
  where chain_id = $1 and created_timestamp >= $2 and created_timestamp < $3
)
select age as age_days, count(*) as tokens, count(*) filter (where last_at >= birth + 86400 * age) as traded_since,
  100.0 * count(*) filter (where last_at >= birth + 86400 * age) / count(*) as percent
from generate_series(0, 30) as ages (age) join created on birth + 86400 * age <= $3
group by age
order by age
