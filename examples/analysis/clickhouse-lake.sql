-- ClickHouse views of a lake's files, for clickhouse-views.sql. `lake` is the folder of npm run lake: relative to the current one in
-- clickhouse local, to user_files_path on a server. Tables of events have all days, tables of snapshots the last day of each chain.
create or replace view trades as select * from file('lake/trades/*/*/*.parquet', Parquet);
create or replace view early_buyers as select * from file('lake/early_buyers/*/*/*.parquet', Parquet);
create or replace view liquidity_changes as select * from file('lake/liquidity_changes/*/*/*.parquet', Parquet);
create or replace view transfers as select * from file('lake/transfers/*/*/*.parquet', Parquet);

create or replace view tokens as
select * from file('lake/tokens/*/*/*.parquet', Parquet)
where (extract(_path, 'chain=(\\d+)'), extract(_path, 'day=([\\d-]+)')) in (
  select extract(_path, 'chain=(\\d+)'), max(extract(_path, 'day=([\\d-]+)')) from file('lake/tokens/*/*/*.parquet', Parquet) group by 1
);

create or replace view curves as
select * from file('lake/curves/*/*/*.parquet', Parquet)
where (extract(_path, 'chain=(\\d+)'), extract(_path, 'day=([\\d-]+)')) in (
  select extract(_path, 'chain=(\\d+)'), max(extract(_path, 'day=([\\d-]+)')) from file('lake/curves/*/*/*.parquet', Parquet) group by 1
);

create or replace view holders as
select * from file('lake/holders/*/*/*.parquet', Parquet)
where (extract(_path, 'chain=(\\d+)'), extract(_path, 'day=([\\d-]+)')) in (
  select extract(_path, 'chain=(\\d+)'), max(extract(_path, 'day=([\\d-]+)')) from file('lake/holders/*/*/*.parquet', Parquet) group by 1
);
