-- Creators by the month (UTC) of their first token: what they created, how much of it graduated, what was traded of their tokens in
-- the first week of each, and by how many.
with firsts as (
  select creator, strftime(make_timestamp(1000000 * min(created_at)), '%Y-%m') as cohort
  from tokens
  where chain = getvariable('chain') and created_at < getvariable('until')
  group by creator
), created as materialized (
  select address, creator, created_at, cohort
  from tokens join firsts using (creator)
  where chain = getvariable('chain') and created_at < getvariable('until')
), graduated as (
  select token from curves where chain = getvariable('chain') and graduated_at < getvariable('until')
), traded as (
  select cohort, sum(bnb_amount_wei) as first_week_volume_wei, count(distinct trader) as first_week_traders
  from trades join created on created.address = trades.token
  where chain = getvariable('chain') and timestamp < getvariable('until') and timestamp < created_at + 604800
  group by cohort
), counted as (
  select cohort, count(distinct creator) as creators, count(*) as tokens, count(graduated.token) as graduated
  from created left join graduated on graduated.token = created.address
  group by cohort
)
select cohort, creators, tokens, graduated, coalesce(first_week_volume_wei, 0) as first_week_volume_wei,
  coalesce(first_week_traders, 0) as first_week_traders
from counted left join traded using (cohort)
order by cohort;
