-- DuckDB views of a lake's files with the names, columns and units of the schema `launchpad` in Postgres, so that one text runs on
-- both. Run duckdb-views.sql and balance-change.sql first. Amounts are DECIMAL(38, 18): they are exact, and a sum that doesn't
-- fit is an error. Prices are doubles. Rows that change are as of the snapshots' block. What
-- Postgres computes from several tables (daily_totals, totals, graduations), and candles but for 1m and 1h, is not here.
create schema if not exists launchpad;

-- From wei or base units to BNB or tokens, without a detour over doubles.
create or replace macro launchpad.whole(raw) as (
  (raw::hugeint // 1000000000000000000)::decimal(20, 0)
  + (raw::hugeint % 1000000000000000000)::decimal(18, 0) * 0.000000000000000001::decimal(18, 18)
)::decimal(38, 18);
create or replace macro launchpad.seconds("time") as floor(epoch("time"))::bigint;

create or replace view holders as select * from last_day('holders');
create or replace view positions as select * from last_day('positions');
create or replace view accounts as select * from last_day('accounts');
create or replace view dex_pairs as select * from last_day('dex_pairs');
create or replace view candles as select * from all_days('candles');

create or replace view launchpad.tokens as
select chain_id, address as mint, name, symbol, creator, launchpad, burn_percent,
  launchpad.whole(total_supply_raw) as total_supply, launchpad.whole(circulating_raw) as circulating_supply,
  launchpad.whole(coalesce(creator_balance_raw, 0)) as creator_balance, holder_count as holders,
  circulating_raw::double * circulating_raw::double / nullif(balance_squares_raw_double, 0) as effective_holders,
  to_timestamp(created_at) as created_at, created_at as created_timestamp, created_block, created_log_index, created_tx, salt,
  holder_count
from main.tokens;

create or replace view launchpad.curves as
select chain_id, token as mint, price_bnb_x36_double * 1e-36 as price_bnb,
  close_price_bnb_x36_double * 1e-36 as last_trade_price_bnb, close_price_usd_x36_double * 1e-36 as last_trade_price_usd,
  opening_price_bnb_x36_double * 1e-36 as opening_price_bnb, opening_price_usd_x36_double * 1e-36 as opening_price_usd,
  launchpad.whole(liquidity_wei) as liquidity_bnb, progress, graduated,
  to_timestamp(graduated_at) as graduated_at, graduated_at as graduated_timestamp, graduated_by, pair,
  launchpad.whole(virtual_bnb_reserves) as virtual_bnb_reserves,
  launchpad.whole(virtual_token_reserves) as virtual_token_reserves, launchpad.whole(real_token_reserves) as tokens_left,
  launchpad.whole(tokens_sold) as tokens_sold, launchpad.whole(total_to_sell) as tokens_to_sell,
  launchpad.whole(graduation_bnb_reserves_wei) as graduation_bnb_reserves, buys_to_date as buys, sells_to_date as sells,
  launchpad.whole(volume_to_date_wei) as volume_bnb, launchpad.whole(volume_to_date_usd_x18) as volume_usd,
  to_timestamp(last_trade_at) as last_trade_at, last_trade_at as last_trade_timestamp, opened_block,
  launchpad.whole(bought_to_date_wei) as bought_bnb, launchpad.whole(creator_bought_to_date_wei) as creator_bought_bnb,
  launchpad.whole(opening_bought_wei) as opening_bought_bnb, launchpad.whole(net_volume_to_date_wei) as net_volume_bnb,
  changed_at as changed_timestamp
from main.curves;

create or replace view launchpad.trades as
select chain_id, id, to_timestamp(timestamp) as time, timestamp, token as mint, trader, venue, side,
  launchpad.whole(bnb_amount_wei) as bnb_amount, launchpad.whole(token_amount_raw) as token_amount,
  launchpad.whole(bnb_amount_wei::hugeint * bnb_usd_x8::hugeint // 100000000) as usd_amount,
  price_bnb_x36_double * 1e-36 as price_bnb, price_bnb_x36_double * 1e-44 * bnb_usd_x8::double as price_usd,
  bnb_reserves_wei::double / nullif(token_reserves_raw, 0)::double as price_after_bnb, bnb_usd_x8::double / 1e8 as bnb_usd,
  launchpad.whole(realised_wei) as realised_bnb, launchpad.whole(realised_usd_x18) as realised_usd,
  launchpad.whole(bnb_reserves_wei) as bnb_reserves, launchpad.whole(token_reserves_raw) as token_reserves,
  block, tx, tx_index, log_index,
  (bnb_reserves_wei - if(side = 'buy', 1, -1) * bnb_amount_wei)::double
    / nullif(token_reserves_raw + if(side = 'buy', 1, -1) * token_amount_raw, 0)::double as price_before_bnb,
  usd_amount as amount_usd
from main.trades;

create or replace view launchpad.holders as
select chain_id, token as mint, account, launchpad.whole(balance_raw) as balance, kind, insider_hops, early_block,
  changed_at as changed_timestamp
from main.holders;

create or replace view launchpad.early_buyers as
select chain_id, token as mint, account, block, launchpad.whole(bought_raw) as tokens_bought
from main.early_buyers;

create or replace view launchpad.liquidity as
select chain_id, id, to_timestamp(timestamp) as time, timestamp, token as mint, pair, provider, kind,
  launchpad.whole(bnb_amount_wei) as bnb_amount, launchpad.whole(token_amount_raw) as token_amount,
  launchpad.whole(bnb_reserves_wei) as bnb_reserves, launchpad.whole(token_reserves_raw) as token_reserves,
  block, tx, tx_index, log_index, token_account
from main.liquidity_changes;

create or replace view launchpad.transfers as
select chain_id, id, to_timestamp(timestamp) as time, timestamp, token as mint, "from" as from_account, "to" as to_account,
  launchpad.whole(amount_raw) as token_amount, block, tx, tx_index, log_index
from main.transfers;

create or replace view launchpad.balance_change as
select chain_id, token as mint, account, change_raw, reason, block, log_index, to_timestamp(timestamp) as time, timestamp
from main.balance_change;

create or replace view launchpad.candles as
select chain_id, token as mint, "interval", to_timestamp(open_time) as open_time, open_time as open_timestamp,
  open_bnb_x36_double * 1e-36 as open_bnb, high_bnb_x36_double * 1e-36 as high_bnb, low_bnb_x36_double * 1e-36 as low_bnb,
  close_bnb_x36_double * 1e-36 as close_bnb, launchpad.whole(volume_wei) as volume_bnb,
  launchpad.whole(volume_raw) as volume_tokens, trades, open_usd_x36_double * 1e-36 as open_usd,
  high_usd_x36_double * 1e-36 as high_usd, low_usd_x36_double * 1e-36 as low_usd,
  close_usd_x36_double * 1e-36 as close_usd, launchpad.whole(volume_usd_x18) as volume_usd
from main.candles;

create or replace view launchpad.positions as
select chain_id, token as mint, account, buys, sells, launchpad.whole(tokens_bought_raw) as tokens_bought,
  launchpad.whole(tokens_sold_raw) as tokens_sold, launchpad.whole(bnb_spent_wei) as bnb_spent,
  launchpad.whole(bnb_received_wei) as bnb_received, launchpad.whole(open_tokens_raw) as open_tokens,
  launchpad.whole(open_cost_wei) as open_cost_bnb, launchpad.whole(realised_wei) as realised_bnb,
  launchpad.whole(spent_usd_x18) as usd_spent, launchpad.whole(received_usd_x18) as usd_received,
  launchpad.whole(open_cost_usd_x18) as open_cost_usd, launchpad.whole(realised_usd_x18) as realised_usd,
  to_timestamp(first_trade_at) as first_trade_at, first_trade_at as first_trade_timestamp,
  to_timestamp(last_trade_at) as last_trade_at, last_trade_at as last_trade_timestamp,
  launchpad.whole(received_raw) as tokens_received, launchpad.whole(received_cost_wei) as received_cost_bnb,
  launchpad.whole(sent_raw) as tokens_sent, launchpad.whole(sent_cost_wei) as sent_cost_bnb,
  changed_at as changed_timestamp
from main.positions;

create or replace view launchpad.accounts as
select chain_id, address as account, to_timestamp(first_seen_at) as first_seen_at, first_seen_at as first_seen_timestamp,
  tokens_created, tokens_graduated, tokens_sold_out, trades, sells, launchpad.whole(volume_wei) as volume_bnb,
  launchpad.whole(volume_usd_x18) as volume_usd, launchpad.whole(realised_wei) as realised_bnb,
  launchpad.whole(realised_usd_x18) as realised_usd, profitable_sells, changed_at as changed_timestamp
from main.accounts;

create or replace view launchpad.pairs as
select chain_id, address as pair, token as mint, launchpad.whole(bnb_reserves_wei) as bnb_reserves,
  launchpad.whole(token_reserves_raw) as token_reserves, changed_at as changed_timestamp
from main.dex_pairs;
