-- Which launches were bundled? Tokens that others than the creator bought in the block that opened the curve, in which nobody could
-- have known of them: how many accounts, and which share of the tokens for sale these bought in that block and the two after it.
-- Variables: set chain=56; set from=0; set until=...; (Unix times, until is exclusive). Run spark-views.sql first. Never run in Spark
-- Written by npm run analysis:engines from ../bundles.sql: edit that one.
select timestamp_seconds(created_timestamp) as time, t.mint as mint, creator, count(*) as bundlers,
  sum(e.tokens_bought) as tokens_bought, sum(100 * e.tokens_bought / tokens_to_sell) as percent_of_curve
from launchpad.tokens t
join launchpad.curves c on c.chain_id = t.chain_id and c.mint = t.mint
join launchpad.early_buyers e on e.chain_id = t.chain_id and e.mint = t.mint
where t.chain_id = ${chain} and created_timestamp >= ${from} and created_timestamp < ${until} and e.block = opened_block and account <> creator
group by created_timestamp, t.mint, creator
order by created_timestamp, t.mint
limit 1000
