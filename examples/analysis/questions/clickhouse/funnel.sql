-- How far do tokens get? Of the tokens created each day (UTC): those that anyone but their creator bought, those with ten traders,
-- those that graduated, and those traded on the DEX since; and how long the median graduation took.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../funnel.sql: edit that one.
with created as (
  select mint, creator, created_timestamp as birth from launchpad.tokens
  where chain_id = {chain:Int32} and created_timestamp >= {from:Int64} and created_timestamp < {until:Int64}
), traded as (
  select mint, count(distinct trader) as traders, max(case when side = 'buy' and trader <> creator then 1 else 0 end) as by_others,
    max(case when venue = 'dex' then 1 else 0 end) as on_dex
  from launchpad.trades join created using (mint)
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
  group by mint
), graduated as (
  select mint, graduated_timestamp from launchpad.curves
  where chain_id = {chain:Int32} and graduated and graduated_timestamp >= {from:Int64} and graduated_timestamp < {until:Int64}
)
select fromUnixTimestamp(birth - birth % 86400) as time, count(*) as created, count(*) filter (where by_others = 1) as bought,
  count(*) filter (where traders >= 10) as with_ten_traders, count(graduated_timestamp) as graduated,
  count(*) filter (where on_dex = 1) as traded_on_dex,
  if(count(graduated_timestamp - birth) = 0, null, arraySort(groupArray(graduated_timestamp - birth))[toUInt32(ceil(0.5 * count(graduated_timestamp - birth)))]) as median_seconds_to_graduate
from created left join traded using (mint) left join graduated using (mint)
group by birth - birth % 86400
order by birth - birth % 86400
