-- A DuckDB view of every change of a balance, over a lake's files. Those of an account in a token add up to its balance, also of the
-- launchpad, DEX pairs and burn addresses. Run duckdb-views.sql first. It has all days that are exported: compare with holders at
-- the end of the last one.
create or replace view transfers as select * from all_days('transfers');
create or replace view liquidity_changes as select * from all_days('liquidity_changes');

create or replace view balance_change as
with moved as (
  select t.chain_id, t.token, trader as account, if(venue = 'curve', k.launchpad, c.pair) as market,
    if(side = 'buy', 1, -1) * coalesce(tokens_moved_raw, token_amount_raw) as amount, 'trade' as reason,
    block, log_index, timestamp
  from trades t
  join tokens k on k.chain_id = t.chain_id and k.address = t.token
  join curves c on c.chain_id = t.chain_id and c.token = t.token
  union all
  select l.chain_id, l.token, token_account, l.pair,
    if(kind = 'add', -1, 1) * coalesce(tokens_moved_raw, token_amount_raw),
    if(token_account = k.launchpad, 'graduation', 'liquidity'), block, log_index, timestamp
  from liquidity_changes l join tokens k on k.chain_id = l.chain_id and k.address = l.token
  union all
  select chain_id, token, "to", "from", amount_raw,
    case when "from" = '0x' || repeat('0', 40) then 'mint'
         when "to" in ('0x' || repeat('0', 40), '0x' || repeat('0', 36) || 'dead') then 'burn'
         else 'transfer' end,
    block, log_index, timestamp
  from transfers
  union all
  select chain_id, address, launchpad, '0x' || repeat('0', 40), launch_supply_raw, 'creation',
    created_block, created_log_index, created_at
  from tokens
)
select chain_id, token, account, amount as change_raw, reason, block, log_index, timestamp
from (
  select chain_id, token, account, amount, reason, block, log_index, timestamp from moved
  union all
  select chain_id, token, market, -amount, reason, block, log_index, timestamp from moved
)
where amount <> 0 and account <> '0x' || repeat('0', 40);
