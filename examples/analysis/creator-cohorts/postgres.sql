-- Creator cohorts by the month (UTC) of their first token: tokens created, how many of them graduated, and volume and number of
-- traders in the first week of each token.
-- psql: set search_path to onchain; \set chain 56  \set until 1763596800
with created as (
  select address, creator, created_at,
    to_char(to_timestamp(min(created_at) over (partition by creator)) at time zone 'UTC', 'YYYY-MM') as cohort
  from token
  where chain_id = :chain and created_at < :until
), traded as (
  select cohort, sum(bnb_amount_wei) as first_week_volume_wei, count(distinct trader) as first_week_traders
  from trade join created on created.address = trade.token
  where chain_id = :chain and timestamp < :until and timestamp < created_at + 604800
  group by cohort
), counted as (
  select cohort, count(distinct creator) as creators, count(*) as tokens,
    count(*) filter (where graduated_at < :until) as graduated
  from created left join curve on curve.chain_id = :chain and curve.token = created.address
  group by cohort
)
select cohort, creators, tokens, graduated, coalesce(first_week_volume_wei, 0) as first_week_volume_wei,
  coalesce(first_week_traders, 0) as first_week_traders
from counted left join traded using (cohort)
order by cohort;
