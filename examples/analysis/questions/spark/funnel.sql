-- How far do tokens get? Of the tokens created each day (UTC): those that anyone but their creator bought, those with ten traders,
-- those that graduated, and those traded on the DEX since; and how long the median graduation took.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../funnel.sql: edit that one.
with created as (
  select mint, creator, created_timestamp as birth from launchpad.tokens
  where chain_id = ${chain} and created_timestamp >= ${from} and created_timestamp < ${until}
), traded as (
  select mint, count(distinct trader) as traders, max(case when side = 'buy' and trader <> creator then 1 else 0 end) as by_others,
    max(case when venue = 'dex' then 1 else 0 end) as on_dex
  from launchpad.trades join created using (mint)
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until}
  group by mint
), graduated as (
  select mint, graduated_timestamp from launchpad.curves
  where chain_id = ${chain} and graduated and graduated_timestamp >= ${from} and graduated_timestamp < ${until}
)
select timestamp_seconds(birth - birth % 86400) as time, count(*) as created, count(*) filter (where by_others = 1) as bought,
  count(*) filter (where traders >= 10) as with_ten_traders, count(graduated_timestamp) as graduated,
  count(*) filter (where on_dex = 1) as traded_on_dex,
  percentile_disc(0.5) within group (order by graduated_timestamp - birth) as median_seconds_to_graduate
from created left join traded using (mint) left join graduated using (mint)
group by birth - birth % 86400
order by birth - birth % 86400
