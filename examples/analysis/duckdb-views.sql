-- DuckDB views of a lake's files. Run this first:
--   set variable lake = 'lake';   -- the folder of npm run lake, or s3://bucket/prefix
-- Tables of events have all days. Tables of snapshots have the last day of each chain.
create or replace macro all_days(folder) as table
select * from read_parquet(getvariable('lake') || '/' || folder || '/*/*/*.parquet', hive_partitioning = true);

create or replace macro last_day(folder) as table
select * from all_days(folder) where (chain, day) in (
  select regexp_extract(file, 'chain=(\d+)', 1)::bigint, max(regexp_extract(file, 'day=([\d-]+)', 1))::date
  from glob(getvariable('lake') || '/' || folder || '/*/*/*.parquet') group by 1
);

create or replace view trades as select * from all_days('trades');
create or replace view early_buyers as select * from all_days('early_buyers');
create or replace view tokens as select * from last_day('tokens');
create or replace view curves as select * from last_day('curves');

-- The chain that the questions are about.
set variable chain = (select min(regexp_extract(file, 'chain=(\d+)', 1)::bigint)
  from glob(getvariable('lake') || '/trades/*/*/*.parquet'));
set variable horizon = (select content -> '$.horizon' -> getvariable('chain')::text
  from read_text(getvariable('lake') || '/manifest.json'));
-- The Unix time that they stop at: the end of the trades in the files. Manifests of earlier versions have no horizon, and whole days.
set variable until = coalesce(
  (getvariable('horizon') ->> '$.events.trades')::bigint,
  (select epoch(max(regexp_extract(file, 'day=([\d-]+)', 1))::date)::bigint + 86400
    from glob(getvariable('lake') || '/trades/chain=' || getvariable('chain') || '/*/*.parquet')));
-- The block of the snapshots (tokens, curves, holders, ...), and the trades up to it: what to join with them. Trades reach that
-- block in a lake that was exported with --intraday; without, they end up to a day before.
set variable snapshot_block = (getvariable('horizon') ->> '$.snapshot.block')::bigint;
create or replace view trades_asof as
select * from trades where chain_id = getvariable('chain') and block <= getvariable('snapshot_block');
