-- Who wins? Accounts by what their sells realised, in BNB, by average cost.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../profits.sql: edit that one.
with results as (
  select trader, sum(realised_bnb) as realised from launchpad.trades
  where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${until} and side = 'sell'
  group by trader
), sized as (
  select realised, case when realised < -1 then 'a lost over 1' when realised < -0.1 then 'b lost 0.1 to 1'
    when realised < -0.01 then 'c lost 0.01 to 0.1' when realised < 0 then 'd lost up to 0.01'
    when realised <= 0.01 then 'e won up to 0.01' when realised <= 0.1 then 'f won 0.01 to 0.1'
    when realised <= 1 then 'g won 0.1 to 1' else 'h won over 1' end as result_bnb
  from results
)
select result_bnb, count(*) as accounts, sum(realised) as realised_bnb
from sized
group by result_bnb
order by result_bnb
