/* Statements that must have no effect, one a line, grouped by what they try. */

const several = `
select 1; select 2
select 1; drop table onchain.token
select 1;;select 2
select 1; commit; drop table onchain.token
select 1 /* ; */ ; delete from onchain.token --
select 1) ; drop table onchain.token; select (1
; select 1; select 2
commit; drop schema onchain cascade
select 'a'; set role launchpad; select 1
select $$a$$; select $$b$$
with a as (select 1) select * from a; truncate onchain.token
`;

const writing = `
insert into onchain.token (chain_id) values (1)
update offchain.registration set description = 'mine'
delete from offchain.registration
truncate onchain.trade
merge into onchain.token t using (select 1) s on false when not matched then do nothing
with gone as (delete from offchain.registration returning *) select * from gone
with new as (insert into offchain.registry (version) values (1) returning *) select * from new
with new as (update onchain.token set name = 'mine' returning *) select * from new
select * into mine from onchain.token
select * into temporary mine from onchain.token
select * into unlogged offchain.mine from onchain.token
create table mine as select 1
create temporary table mine (a int)
create view launchpad.mine as select 1
create or replace view launchpad.trades as select 1
create function mine() returns int language sql as 'select 1'
create schema mine
create role mine superuser
create user mine password 'mine'
create extension dblink
create extension plpython3u
create server mine foreign data wrapper postgres_fdw
create trigger mine before insert on onchain.token execute function mine()
create index mine on onchain.token (name)
create materialized view mine as select 1
create publication mine for all tables
create event trigger mine on ddl_command_start execute function mine()
create cast (text as int) with inout
create aggregate mine (int) (sfunc = int4pl, stype = int)
create tablespace mine location '/tmp'
create database mine
create type mine as (a int)
create domain mine as int
alter table onchain.token rename to mine
alter table onchain.token disable row level security
alter role launchpad_sql password 'mine'
alter role launchpad_sql set statement_timeout = 0
alter role launchpad_reader superuser
alter role launchpad_reader connection limit -1
alter role launchpad_reader set statement_timeout = 0
alter user launchpad password 'mine'
alter system set shared_preload_libraries = 'mine'
alter database launchpad set work_mem = '10GB'
alter default privileges grant all on tables to public
drop table onchain.token
drop view launchpad.trades
drop schema launchpad cascade
drop owned by launchpad_reader
reassign owned by launchpad to launchpad_reader
grant all on all tables in schema offchain to launchpad_reader
grant launchpad to launchpad_reader
revoke select on onchain.token from launchpad_api
refresh materialized view launchpad.trades
comment on table onchain.token is 'mine'
security label on table onchain.token is 'mine'
import foreign schema a from server b into launchpad
select * from onchain.token for update
select * from onchain.token for share
select * from onchain.token for no key update skip locked
select * from launchpad.tokens for key share
lock table onchain.token in access exclusive mode
lock table onchain.trade
`;

const session = `
set role launchpad
set role launchpad_admin
set local role launchpad
set session authorization launchpad_admin
set session authorization default
reset role
reset all
set statement_timeout = 0
set local statement_timeout = 0
set transaction read write
set session characteristics as transaction read write
set default_transaction_read_only = off
set search_path = public
set work_mem = '100GB'
set temp_file_limit = -1
show data_directory
show all
begin
commit
rollback
end
abort
savepoint mine
release savepoint mine
prepare transaction 'mine'
commit prepared 'mine'
prepare mine as select 1
execute mine
deallocate all
declare mine cursor with hold for select 1
declare mine cursor for select * from onchain.token
fetch all from answer
move forward 1 from answer
close answer
close all
listen onchain_live_query
notify onchain_live_query, '[]'
unlisten *
discard all
explain analyze select 1
explain select * from offchain.rate_limit
do $$ begin perform pg_sleep(100); end $$
do language plpgsql 'begin loop end loop; end'
call mine()
load '/tmp/mine.so'
load 'auto_explain'
checkpoint
vacuum full
analyze onchain.token
cluster
reindex database launchpad
`;

const files = `
copy onchain.token to '/tmp/launchpad-mine'
copy onchain.token from '/etc/passwd'
copy (select 1) to program 'id > /tmp/launchpad-mine'
copy onchain.token to stdout
copy onchain.token from stdin
select pg_read_file('/etc/passwd')
select pg_read_file('postgresql.conf', 0, 100)
select pg_read_binary_file('/etc/passwd')
select pg_catalog.pg_read_file('/etc/passwd')
select "pg_read_file"('/etc/passwd')
select pg_ls_dir('/')
select * from pg_ls_dir('.') as name
select pg_ls_logdir()
select pg_ls_waldir()
select pg_ls_tmpdir()
select pg_stat_file('/etc/passwd')
select pg_current_logfile()
select pg_file_write('/tmp/launchpad-mine', 'a', true)
select lo_import('/etc/passwd')
select lo_import('/etc/passwd', 4242)
select lo_export(4242, '/tmp/launchpad-mine')
select lo_create(4242)
select lo_from_bytea(4242, 'mine')
select lo_put(4242, 0, 'mine')
select lo_get(4242)
select lo_unlink(4242)
select lo_open(4242, 131072)
select loread(0, 10)
select lowrite(0, 'mine')
select query_to_xml('select pg_read_file(''/etc/passwd'')', true, true, '')
select table_to_xml('offchain.rate_limit', true, true, '')
select database_to_xml(true, true, '')
select schema_to_xml('offchain', true, true, '')
select cursor_to_xml('answer', 1, true, true, '')
select * from dblink('dbname=launchpad', 'select 1') as t (a int)
select dblink_connect('host=127.0.0.1')
select xmlparse(document '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')
`;

const functions = `
select pg_sleep(100)
select pg_sleep_for('1 hour')
select pg_sleep_until('2100-01-01')
select * from onchain.token where pg_sleep(100) is null
select case when true then pg_sleep(100) end
select (select pg_sleep(100))
select "pg_sleep"(100)
select PG_SLEEP(100)
select pg_catalog . pg_sleep ( 100 )
select pg_sleep/**/(100)
select pg_sleep--
(100)
select count(*) from generate_series(1, 3), lateral (select pg_sleep(40)) s
select pg_advisory_lock(5609700001)
select pg_advisory_lock_shared(5609700001)
select pg_try_advisory_lock(5609700001)
select pg_advisory_xact_lock(560097, hashtext('onchain')::int)
select pg_advisory_unlock_all()
select pg_notify('onchain_live_query', '[]')
select pg_notify('offchain_stream', '')
select set_config('role', 'launchpad', false)
select set_config('statement_timeout', '0', false)
select set_config('transaction_read_only', 'off', true)
select set_config('work_mem', '10GB', true), * from onchain.token
select * from onchain.token where set_config('search_path', 'mine', false) is null
select current_setting('data_directory')
select current_setting('is_superuser') from pg_settings
select pg_terminate_backend(pid) from pg_stat_activity
select pg_cancel_backend(pid) from pg_stat_activity
select pg_terminate_backend(1)
select pg_reload_conf()
select pg_rotate_logfile()
select pg_switch_wal()
select pg_promote()
select pg_create_restore_point('mine')
select pg_create_physical_replication_slot('mine')
select pg_logical_emit_message(false, 'mine', 'mine')
select pg_export_snapshot()
select pg_log_backend_memory_contexts(pg_backend_pid())
select pg_stat_reset()
select pg_stat_get_activity(null)
select pg_database_size('postgres')
select pg_get_viewdef('launchpad.registrations'::regclass)
select pg_get_functiondef('offchain.trigrams'::regproc)
select nextval('offchain.registration_id_seq')
select setval('offchain.registration_id_seq', 1)
select currval('offchain.registration_id_seq')
select lastval()
select inet_server_addr(), inet_client_addr()
select ts_stat('select pg_sleep(100)')
select ts_rewrite('a'::tsquery, 'select pg_sleep(100)')
select has_table_privilege('offchain.rate_limit', 'select') from pg_roles
select txid_current(), pg_current_xact_id()
select postgres_fdw_disconnect_all()
select http_get('http://127.0.0.1')
`;

const secrets = `
select * from offchain.rate_limit
select * from offchain.registration
select signature from offchain.registration
select mint, issued_at from offchain.registration
select registration from offchain.registration
select to_json(registration) from offchain.registration
select row_to_json(r) from offchain.registration r
select count(registered_by) from offchain.registration
select 1 from offchain.registration where signature like '0x%'
select mint from offchain.registration order by signature
select array_agg(signature) over () from offchain.registration
select * from offchain.image
select uploader from offchain.image
select * from offchain.image_pin
select * from offchain.reader_login
select password from offchain.reader_login
select sealed from offchain.alert_subscription
select * from offchain.alert_token
select * from offchain.registry
select * from offchain.stream_event
select * from offchain.chain_coverage
select * from offchain.migration
table offchain.rate_limit
select * from offchain."rate_limit"
select * from only offchain.rate_limit
select * from (select * from offchain.rate_limit) a
with a as (select * from offchain.rate_limit) select * from a
select 1 where exists (select from offchain.rate_limit)
select * from ponder_sync.logs
select * from ponder_sync.rpc_request_results
select * from pg_authid
select rolpassword from pg_catalog.pg_authid
select * from pg_shadow
select passwd from pg_user
select * from pg_roles
select * from pg_settings
select * from pg_file_settings
select * from pg_hba_file_rules
select * from pg_stat_activity
select query from pg_catalog.pg_stat_activity
select * from "pg_stat_activity"
select * from PG_STAT_ACTIVITY
select * from pg_stats
select * from pg_statistic
select * from pg_stat_statements
select * from pg_locks
select * from pg_prepared_statements
select * from pg_cursors
select * from pg_largeobject
select * from pg_largeobject_metadata
select * from pg_proc
select * from pg_class
select * from pg_config
select * from pg_stat_replication
select * from pg_stat_ssl
select * from pg_user_mappings
select * from pg_subscription
select * from pg_replication_slots
select * from pg_db_role_setting
`;

const tricks = String.raw`
select U&"pg\005fsleep"(100)
select U&"\0070g_sleep"(100)
select u&"!0070g_sleep" uescape '!' (100)
select U&'\0027'; drop table onchain.token
select pg_/**/sleep(100)
select pg_\u0073leep(100)
select ｐｇ_sleep(100)
select pg_sl​eep(100)
select 'a' 'b' pg_sleep(100)
select $a$ $a$, pg_sleep(100)
select E'\'' , pg_sleep(100) -- '
select 1 /* /* */ */ , pg_sleep(100)
select 1 /* unfinished
select 'unfinished
select "unfinished
select $$unfinished
select ((((1
\copy onchain.token to '/tmp/launchpad-mine'
\! id
select 1 \g /tmp/launchpad-mine
select 1 \;
; 
--
/* */
select $1
select $1::text, $2::text
selec 1
select * from nothing
select no_column from onchain.token
select 1 / 0
select 'a'::int
select 1::offchain.nothing
select * from onchain.token where
`;

const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

/** Refused before they run, or by Postgres at once. */
export const refused: string[] = [
  ...[several, writing, session, files, functions, secrets, tricks].flatMap(lines),
  "",
  " ",
  "select 1\0; drop table onchain.token",
  "select 'a\0'",
  `select ${"(".repeat(6_000)}1${")".repeat(6_000)}`,
  `select ${"x".repeat(10_000)}`,
  `select ${Array.from({ length: 1_700 }, (_, at) => at).join(",")}`,
];

/** Statements that exceed the limits on time, memory, rows or bytes. */
export const bombs: string[] = [
  "select count(*) from generate_series(1, 1000000000000) a",
  "select * from generate_series(1, 1000000000000) a",
  "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b where a <> b",
  "with recursive a (n) as (select 1 union all select n + 1 from a) select count(*) from a",
  "with recursive a (n) as (select 1 union select n + 1 from a) select count(*) from a",
  "with recursive a (t) as (select 'a' union all select t || t from a) select max(length(t)) from a",
  "select a from generate_series(1, 1000000000) a order by random()",
  "select count(distinct a || 'text') from generate_series(1, 1000000000) a",
  `select ${"(".repeat(4_000)}1${")".repeat(4_000)}`,
  "select repeat('a', 1000000000)",
  "select repeat('a', 100000000) from generate_series(1, 1000)",
  "select string_agg(repeat('a', 100000), '') from generate_series(1, 100000)",
  `select ${Array.from({ length: 40 }, (_, at) => `string_agg(repeat('${at}', 100000), '')`).join(", ")} from generate_series(1, 9000)`,
  "select array_agg(a) from generate_series(1, 1000000000) a",
  "select array_fill(1, array[100000, 100000])",
  "select lpad('a', 2000000000, 'b')",
  "select json_agg(a) from generate_series(1, 1000000000) a",
  "select 10::numeric ^ 100000",
  "select factorial(100000)",
  "select regexp_replace(repeat('a', 100000), '(a+)+b', '')",
  "select repeat('a', 30) ~ '((((a*)*)*)*)*b'",
  `select count(*) from ${Array.from({ length: 12 }, (_, at) => `information_schema.columns t${at}`).join(", ")}`,
  "select count(*) from onchain.token a, onchain.token b, generate_series(1, 1000000000) c",
  "select * from launchpad.trades a, launchpad.trades b, launchpad.trades c, generate_series(1, 1000000000) d",
];
