-- Which creators succeed? The fifty with the most graduated tokens: tokens created, how many graduated, and what was traded of them.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../creators.sql: edit that one.
with created as (
  select mint, creator from launchpad.tokens
  where chain_id = {chain:Int32} and created_timestamp >= {from:Int64} and created_timestamp < {until:Int64}
), graduated as (
  select mint, 1 as is_graduated from launchpad.curves
  where chain_id = {chain:Int32} and graduated and graduated_timestamp >= {from:Int64} and graduated_timestamp < {until:Int64}
), traded as (
  select creator, count(distinct trader) as traders, sum(bnb_amount) as volume_bnb
  from launchpad.trades join created using (mint)
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
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
