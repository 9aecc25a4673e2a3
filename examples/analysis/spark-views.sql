-- Spark views with the names and columns of the schema `launchpad` in Postgres, over a lake's files, for the questions in questions/spark.
-- `lake` is the folder of npm run lake. Amounts and prices are doubles, which have 15 to 16 digits. For Spark 3.4 or newer. Never
-- run in Spark: sqlglot reads these texts as Spark's, and their translation gave DuckDB's answers.
set spark.sql.session.timeZone = UTC;
create database if not exists launchpad;

create or replace view launchpad.tokens as
select chain_id, address as mint, name, symbol, creator, launchpad, burn_percent, cast(total_supply_raw as double) / 1e18 as total_supply,
  cast(circulating_raw as double) / 1e18 as circulating_supply, holder_count as holders, holder_count, created_at as created_timestamp, created_block,
  created_log_index, created_tx, salt
from parquet.`lake/tokens` files
where day = (select max(day) from parquet.`lake/tokens` all_days where all_days.chain = files.chain);

create or replace view launchpad.curves as
select chain_id, token as mint, price_bnb_x36_double * 1e-36 as price_bnb, cast(liquidity_wei as double) / 1e18 as liquidity_bnb, progress,
  graduated, graduated_at as graduated_timestamp, graduated_by, pair, cast(tokens_sold as double) / 1e18 as tokens_sold,
  cast(total_to_sell as double) / 1e18 as tokens_to_sell, buys_to_date as buys, sells_to_date as sells,
  cast(volume_to_date_wei as double) / 1e18 as volume_bnb, last_trade_at as last_trade_timestamp, opened_block
from parquet.`lake/curves` files
where day = (select max(day) from parquet.`lake/curves` all_days where all_days.chain = files.chain);

create or replace view launchpad.trades as
select chain_id, id, timestamp, token as mint, trader, venue, side, cast(bnb_amount_wei as double) / 1e18 as bnb_amount,
  cast(token_amount_raw as double) / 1e18 as token_amount,
  cast(bnb_amount_wei as double) * cast(bnb_usd_x8 as double) / 1e26 as usd_amount, price_bnb_x36_double * 1e-36 as price_bnb,
  cast(bnb_reserves_wei as double) / nullif(cast(token_reserves_raw as double), 0) as price_after_bnb,
  cast(bnb_usd_x8 as double) / 1e8 as bnb_usd, cast(realised_wei as double) / 1e18 as realised_bnb, block, tx, tx_index, log_index,
  cast(bnb_reserves_wei - if(side = 'buy', 1, -1) * bnb_amount_wei as double)
    / nullif(cast(token_reserves_raw + if(side = 'buy', 1, -1) * token_amount_raw as double), 0) as price_before_bnb
from parquet.`lake/trades`;

create or replace view launchpad.holders as
select chain_id, token as mint, account, cast(balance_raw as double) / 1e18 as balance, kind, insider_hops, early_block
from parquet.`lake/holders` files
where day = (select max(day) from parquet.`lake/holders` all_days where all_days.chain = files.chain);

create or replace view launchpad.early_buyers as
select chain_id, token as mint, account, block, cast(bought_raw as double) / 1e18 as tokens_bought
from parquet.`lake/early_buyers`;

create or replace view launchpad.liquidity as
select chain_id, id, timestamp, token as mint, pair, provider, kind, cast(bnb_amount_wei as double) / 1e18 as bnb_amount,
  cast(token_amount_raw as double) / 1e18 as token_amount, block, tx, tx_index, log_index, token_account
from parquet.`lake/liquidity_changes`;

-- Exact: an account that sold everything has to end with 0.
create or replace view launchpad.balance_change as
with moved as (
  select t.chain_id, t.token as mint, t.trader as account, if(t.venue = 'curve', k.launchpad, c.pair) as market,
    cast(if(t.side = 'buy', 1, -1) * coalesce(t.tokens_moved_raw, t.token_amount_raw) as decimal(38, 0)) as amount, t.timestamp
  from parquet.`lake/trades` t
  join launchpad.tokens k on k.chain_id = t.chain_id and k.mint = t.token
  join launchpad.curves c on c.chain_id = t.chain_id and c.mint = t.token
  union all
  select chain_id, token, token_account, pair,
    cast(if(kind = 'add', -1, 1) * coalesce(tokens_moved_raw, token_amount_raw) as decimal(38, 0)), timestamp
  from parquet.`lake/liquidity_changes`
  union all
  select chain_id, token, `to`, `from`, amount_raw, timestamp from parquet.`lake/transfers`
  union all
  select chain_id, address, launchpad, '0x0000000000000000000000000000000000000000', launch_supply_raw, created_at
  from parquet.`lake/tokens` files
  where day = (select max(day) from parquet.`lake/tokens` all_days where all_days.chain = files.chain)
)
select chain_id, mint, account, amount as change_raw, timestamp from moved
where amount <> 0 and account <> '0x0000000000000000000000000000000000000000'
union all
select chain_id, mint, market, -amount, timestamp from moved
where amount <> 0 and market <> '0x0000000000000000000000000000000000000000';
