-- Creator cohorts by the month (UTC) of their first token: tokens created, how many of them graduated, and volume and number of
-- traders in the first week of each token.
with launched as materialized (
  select token_id, creator, created_at from tokens
  where chain = getvariable('chain') and created_at < getvariable('until')
), firsts as materialized (
  select creator, strftime(make_timestamp(1000000 * min(created_at)), '%Y-%m') as cohort from launched group by creator
), created as materialized (
  select token_id, created_at, cohort from launched join firsts using (creator)
), graduated as (
  select token_id from curves where chain = getvariable('chain') and graduated_at < getvariable('until')
), traded as (
  select cohort, sum(bnb_amount_wei) as first_week_volume_wei, count(distinct trader_id) as first_week_traders
  from trades join created using (token_id)
  where chain = getvariable('chain') and timestamp < getvariable('until') and timestamp < created_at + 604800
  group by cohort
), creators as (
  select cohort, count(*) as creators from firsts group by cohort
), counted as (
  select cohort, count(*) as tokens, count(graduated.token_id) as graduated
  from created left join graduated using (token_id)
  group by cohort
)
select cohort, creators, tokens, graduated, coalesce(first_week_volume_wei, 0) as first_week_volume_wei,
  coalesce(first_week_traders, 0) as first_week_traders
from creators join counted using (cohort) left join traded using (cohort)
order by cohort;
