-- Does the first hour tell which tokens graduate? Tokens at least an hour old, by how many accounts traded them in that hour.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../first-hour.sql: edit that one.
with created as (
  select mint, created_timestamp as birth from launchpad.tokens
  where chain_id = ${chain} and created_timestamp >= ${from} and created_timestamp + 3600 <= ${until}
), first_hours as (
  select mint, count(distinct trader) as traders, sum(bnb_amount) as bnb from launchpad.trades join created using (mint)
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until} and timestamp < birth + 3600
  group by mint
), graduated as (
  select mint, 1 as is_graduated from launchpad.curves
  where chain_id = ${chain} and graduated and graduated_timestamp >= ${from} and graduated_timestamp < ${until}
), sized as (
  select coalesce(bnb, 0) as bnb, is_graduated, case when traders is null then 'a none' when traders < 5 then 'b 1 to 4'
    when traders < 10 then 'c 5 to 9' when traders < 25 then 'd 10 to 24' else 'e 25 and more' end as first_hour_traders
  from created left join first_hours using (mint) left join graduated using (mint)
)
select first_hour_traders, count(*) as tokens, count(is_graduated) as graduated, 100.0 * count(is_graduated) / count(*) as percent,
  sum(bnb) as first_hour_volume_bnb
from sized
group by first_hour_traders
order by first_hour_traders
