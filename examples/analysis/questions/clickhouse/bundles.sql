-- Which launches were bundled? Tokens that others than the creator bought in the block that opened the curve, in which nobody could
-- have known of them: how many accounts, and which share of the tokens for sale these bought in that block and the two after it.
-- Parameters: chain, and the Unix times from (inclusive) and until (exclusive). Run clickhouse-views.sql first, with
-- --join_use_nulls 1 --final 1 --session_timezone UTC
-- Written by npm run analysis:engines from ../bundles.sql: edit that one.
select fromUnixTimestamp(created_timestamp) as time, t.mint as mint, creator, count(*) as bundlers,
  sum(e.tokens_bought) as tokens_bought, sum(100 * e.tokens_bought / tokens_to_sell) as percent_of_curve
from launchpad.tokens t
join launchpad.curves c on c.chain_id = t.chain_id and c.mint = t.mint
join launchpad.early_buyers e on e.chain_id = t.chain_id and e.mint = t.mint
where t.chain_id = {chain:Int32} and created_timestamp >= {from:Int64} and created_timestamp < {until:Int64} and e.block = opened_block and account <> creator
group by created_timestamp, t.mint, creator
order by created_timestamp, t.mint
limit 1000
