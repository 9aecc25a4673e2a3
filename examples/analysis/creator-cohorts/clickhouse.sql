-- Creator cohorts by the month (UTC) of their first token: tokens created, how many of them graduated, and volume and number of
-- traders in the first week of each token.
-- clickhouse local, run by hand in 26.7: --param_chain 56 --param_until 1763596800 --join_use_nulls 1
with created as (
  select token_id, creator, created_at,
    formatDateTime(toDateTime(min(created_at) over (partition by creator), 'UTC'), '%Y-%m') as cohort
  from file('lake/tokens/*/day=2026-11-20/*.parquet', Parquet)
  where chain_id = {chain:UInt32} and created_at < {until:UInt32}
), traded as (
  select cohort, sum(bnb_amount_wei) as first_week_volume_wei, count(distinct trader_id) as first_week_traders
  from file('lake/trades/*/*/*.parquet', Parquet) as trades join created on created.token_id = trades.token_id
  where chain_id = {chain:UInt32} and timestamp < {until:UInt32} and timestamp < created_at + 604800
  group by cohort
), counted as (
  select cohort, count(distinct creator) as creators, count(*) as tokens,
    countIf(graduated_at < {until:UInt32}) as graduated
  from created left join file('lake/curves/*/day=2026-11-20/*.parquet', Parquet) as curves on curves.chain_id = {chain:UInt32} and curves.token_id = created.token_id
  group by cohort
)
select cohort, creators, tokens, graduated, coalesce(first_week_volume_wei, 0) as first_week_volume_wei,
  coalesce(first_week_traders, 0) as first_week_traders
from counted left join traded using (cohort)
order by cohort;
