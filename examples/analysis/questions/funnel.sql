-- How far do tokens get? Of the tokens created each day (UTC): those that anyone but their creator bought, those with ten traders,
-- those that graduated, and those traded on the DEX since; and how long the median graduation took.
-- $1 chain, $2 and $3 Unix times: from (inclusive) and until (exclusive)
with created as (
  select mint, creator, created_timestamp as birth from launchpad.tokens
  where chain_id = $1 and created_timestamp >= $2 and created_timestamp < $3
), traded as (
  select mint, count(distinct trader) as traders, max(case when side = 'buy' and trader <> creator then 1 else 0 end) as by_others,
    max(case when venue = 'dex' then 1 else 0 end) as on_dex
  from launchpad.trades join created using (mint)
  where chain_id = $1 and timestamp >= $2 and timestamp < $3
  group by mint
), graduated as (
  select mint, graduated_timestamp from launchpad.curves
  where chain_id = $1 and graduated and graduated_timestamp >= $2 and graduated_timestamp < $3
)
select to_timestamp(birth - birth % 86400) as time, count(*) as created, count(*) filter (where by_others = 1) as bought,
  count(*) filter (where traders >= 10) as with_ten_traders, count(graduated_timestamp) as graduated,
  count(*) filter (where on_dex = 1) as traded_on_dex,
  percentile_disc(0.5) within group (order by graduated_timestamp - birth) as median_seconds_to_graduate
from created left join traded using (mint) left join graduated using (mint)
group by birth - birth % 86400
order by birth - birth % 86400
