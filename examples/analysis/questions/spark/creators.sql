-- Which creators succeed? The fifty with the most graduated tokens: tokens created, how many graduated, and what was traded of them.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../creators.sql: edit that one.
with created as (
  select mint, creator from launchpad.tokens
  where chain_id = ${chain} and created_timestamp >= ${from} and created_timestamp < ${until}
), graduated as (
  select mint, 1 as is_graduated from launchpad.curves
  where chain_id = ${chain} and graduated and graduated_timestamp >= ${from} and graduated_timestamp < ${until}
), traded as (
  select creator, count(distinct trader) as traders, sum(bnb_amount) as volume_bnb
  from launchpad.trades join created using (mint)
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  group by creator
), counted as (
  select creator, count(*) as tokens, count(is_graduated) as graduated
  from created left join graduated using (mint)
  group by creator
)
select creator, tokens, graduated, 100.0 * graduated / tokens as graduated_percent, coalesce(traders, 0) as traders,
  coalesce(volume_bnb, 0) as volume_bnb
from counted left join traded using (creator)
order by graduated desc, coalesce(volume_bnb, 0) desc, creator
limit 50
