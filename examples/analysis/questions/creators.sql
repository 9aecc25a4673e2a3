-- Which creators succeed? The fifty with the most graduated tokens: tokens created, how many graduated, and what was traded of them.
-- $1 chain, $2 and $3 Unix times: from (inclusive) and until (exclusive)
with created as (
  select mint, creator from launchpad.tokens
  where chain_id = $1 and created_timestamp >= $2 and created_timestamp < $3
), graduated as (
  select mint, 1 as is_graduated from launchpad.curves
  where chain_id = $1 and graduated and graduated_timestamp >= $2 and graduated_timestamp < $3
), traded as (
  select creator, count(distinct trader) as traders, sum(bnb_amount) as volume_bnb
  from launchpad.trades join created using (mint)
  where chain_id = $1 and timestamp >= $2 and timestamp < $3
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
