-- Where does liquidity go? BNB that graduations, and then providers, added to DEX pairs each day (UTC), and took from them.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../liquidity.sql: edit that one.
with changes as (
  select timestamp - timestamp % 86400 as day, kind, bnb_amount, provider, provider = launchpad as is_graduation
  from launchpad.liquidity join launchpad.tokens using (chain_id, mint)
  where chain_id = {chain:Int32} and timestamp >= {from:Int64} and timestamp < {until:Int64}
)
select fromUnixTimestamp(day) as time, coalesce(sum(bnb_amount) filter (where is_graduation), 0) as graduated_bnb,
  coalesce(sum(bnb_amount) filter (where kind = 'add' and not is_graduation), 0) as added_bnb,
  coalesce(sum(bnb_amount) filter (where kind = 'remove'), 0) as removed_bnb,
  count(distinct provider) filter (where not is_graduation) as providers
from changes
group by day
order by day
