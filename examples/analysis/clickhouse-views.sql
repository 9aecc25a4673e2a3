-- ClickHouse views with the names, columns and units of the schema `launchpad` in Postgres, for the questions in questions/clickhouse.
-- Run them in a database that npm run sink writes, or over a lake's files after clickhouse-lake.sql. Amounts are Decimal(76, 18), whose
-- sums and products by whole numbers can't overflow. Prices are doubles. What Postgres computes from tables that change later is not here.
create database if not exists launchpad;

create or replace view launchpad.tokens as
select chain_id, address as mint, name, symbol, creator, launchpad, burn_percent,
  toDecimal256(total_supply_raw, 18) / 1000000000000000000 as total_supply,
  toDecimal256(circulating_raw, 18) / 1000000000000000000 as circulating_supply, holder_count as holders, holder_count,
  created_at as created_timestamp, created_block, created_log_index, created_tx, salt
from tokens;

create or replace view launchpad.curves as
select chain_id, token as mint, price_bnb_x36_double * 1e-36 as price_bnb,
  toDecimal256(liquidity_wei, 18) / 1000000000000000000 as liquidity_bnb, progress, graduated,
  graduated_at as graduated_timestamp, graduated_by, pair,
  toDecimal256(tokens_sold, 18) / 1000000000000000000 as tokens_sold,
  toDecimal256(total_to_sell, 18) / 1000000000000000000 as tokens_to_sell, buys_to_date as buys, sells_to_date as sells,
  toDecimal256(volume_to_date_wei, 18) / 1000000000000000000 as volume_bnb, last_trade_at as last_trade_timestamp, opened_block
from curves;

create or replace view launchpad.trades as
select chain_id, id, timestamp, token as mint, trader, venue, side,
  toDecimal256(bnb_amount_wei, 18) / 1000000000000000000 as bnb_amount,
  toDecimal256(token_amount_raw, 18) / 1000000000000000000 as token_amount,
  toDecimal256(intDiv(toInt256(bnb_amount_wei) * toInt256(bnb_usd_x8), 100000000), 18) / 1000000000000000000 as usd_amount,
  usd_amount as amount_usd,
  price_bnb_x36_double * 1e-36 as price_bnb,
  toFloat64(bnb_reserves_wei) / nullIf(toFloat64(token_reserves_raw), 0) as price_after_bnb,
  toFloat64(bnb_usd_x8) / 1e8 as bnb_usd, toDecimal256(realised_wei, 18) / 1000000000000000000 as realised_bnb,
  block, tx, tx_index, log_index,
  toFloat64(bnb_reserves_wei - if(side = 'buy', 1, -1) * bnb_amount_wei)
    / nullIf(toFloat64(token_reserves_raw + if(side = 'buy', 1, -1) * token_amount_raw), 0) as price_before_bnb
from trades;

create or replace view launchpad.holders as
select chain_id, token as mint, account, toDecimal256(balance_raw, 18) / 1000000000000000000 as balance, kind, insider_hops,
  early_block
from holders;

create or replace view launchpad.early_buyers as
select chain_id, token as mint, account, block, toDecimal256(bought_raw, 18) / 1000000000000000000 as tokens_bought
from early_buyers;

create or replace view launchpad.liquidity as
select chain_id, id, timestamp, token as mint, pair, provider, kind,
  toDecimal256(bnb_amount_wei, 18) / 1000000000000000000 as bnb_amount,
  toDecimal256(token_amount_raw, 18) / 1000000000000000000 as token_amount, block, tx, tx_index, log_index, token_account
from liquidity_changes;

create or replace view launchpad.balance_change as
with moved as (
  select t.chain_id as chain_id, t.token as token, trader as account, if(venue = 'curve', k.launchpad, c.pair) as market,
    toInt256(if(side = 'buy', 1, -1) * coalesce(tokens_moved_raw, token_amount_raw)) as amount, t.block as block,
    t.log_index as log_index, t.timestamp as timestamp
  from trades t
  join tokens k on k.chain_id = t.chain_id and k.address = t.token
  join curves c on c.chain_id = t.chain_id and c.token = t.token
  union all
  select chain_id, token, token_account, pair, toInt256(if(kind = 'add', -1, 1) * coalesce(tokens_moved_raw, token_amount_raw)), block,
    log_index, timestamp
  from liquidity_changes
  union all
  select chain_id, token, `to`, `from`, toInt256(amount_raw), block, log_index, timestamp from transfers
  union all
  select chain_id, address, launchpad, '0x0000000000000000000000000000000000000000', toInt256(launch_supply_raw), created_block,
    created_log_index, created_at
  from tokens
)
select chain_id, token as mint, account, change_raw, block, log_index, timestamp
from (
  select chain_id, token, account, amount as change_raw, block, log_index, timestamp from moved
  union all
  select chain_id, token, market, -amount, block, log_index, timestamp from moved
)
where change_raw <> 0 and account <> '0x0000000000000000000000000000000000000000';
