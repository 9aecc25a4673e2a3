-- Creator cohorts by the month (UTC) of their first token: tokens created, how many of them graduated, and volume and number of
-- traders in the first week of each token.
-- BigQuery, untested. Parameters: @chain, @until, @day of the snapshot. The tables are external tables (README.md).
with created as (
  select token_id, creator, created_at,
    format_timestamp('%Y-%m', timestamp_seconds(min(created_at) over (partition by creator))) as cohort
  from lake.tokens as tokens
  where chain = @chain and day = @day and created_at < @until
), traded as (
  select cohort, sum(bnb_amount_wei) as first_week_volume_wei, count(distinct trader_id) as first_week_traders
  from lake.trades as trades join created on created.token_id = trades.token_id
  where chain = @chain and timestamp < @until and timestamp < created_at + 604800
  group by cohort
), counted as (
  select cohort, count(distinct creator) as creators, count(*) as tokens,
    countif(graduated_at < @until) as graduated
  from created left join lake.curves as curves on curves.chain = @chain and curves.day = @day and curves.token_id = created.token_id
  group by cohort
)
select cohort, creators, tokens, graduated, coalesce(first_week_volume_wei, 0) as first_week_volume_wei,
  coalesce(first_week_traders, 0) as first_week_traders
from counted left join traded using (cohort)
order by cohort;
