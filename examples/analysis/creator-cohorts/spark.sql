-- Creator cohorts by the month (UTC) of their first token: tokens created, how many of them graduated, and volume and number of
-- traders in the first week of each token.
-- Spark 3.4 or newer, untested: set spark.sql.session.timeZone=UTC; set chain=56; set until=1763596800;
create or replace temporary view trades using parquet options (path 'lake/trades');
create or replace temporary view tokens using parquet options (path 'lake/tokens/chain=56/day=2026-11-20');
create or replace temporary view curves using parquet options (path 'lake/curves/chain=56/day=2026-11-20');
with created as (
  select token_id, creator, created_at,
    date_format(timestamp_seconds(min(created_at) over (partition by creator)), 'yyyy-MM') as cohort
  from tokens
  where chain_id = ${chain} and created_at < ${until}
), traded as (
  select cohort, sum(bnb_amount_wei) as first_week_volume_wei, count(distinct trader_id) as first_week_traders
  from trades join created on created.token_id = trades.token_id
  where chain_id = ${chain} and timestamp < ${until} and timestamp < created_at + 604800
  group by cohort
), counted as (
  select cohort, count(distinct creator) as creators, count(*) as tokens,
    count(*) filter (where graduated_at < ${until}) as graduated
  from created left join curves on curves.chain_id = ${chain} and curves.token_id = created.token_id
  group by cohort
)
select cohort, creators, tokens, graduated, coalesce(first_week_volume_wei, 0) as first_week_volume_wei,
  coalesce(first_week_traders, 0) as first_week_traders
from counted left join traded using (cohort)
order by cohort;
