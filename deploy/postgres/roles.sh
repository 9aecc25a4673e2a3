#!/bin/sh
# Creates the roles of docs/self-hosting.md ("Database roles"). Runs once, when Postgres's volume is new.
set -eu
# \getenv keeps the passwords out of the list of processes, which shows arguments to everyone on the machine.
psql -v ON_ERROR_STOP=1 --username postgres <<'SQL'
\getenv owner LAUNCHPAD_PASSWORD
\getenv api LAUNCHPAD_API_PASSWORD
\getenv reader LAUNCHPAD_READER_PASSWORD
\getenv sql LAUNCHPAD_SQL_PASSWORD
create role launchpad login password :'owner';
create role launchpad_api login password :'api' connection limit 150;
create role launchpad_reader login password :'reader' connection limit 50;
create role launchpad_sql login password :'sql' connection limit 50;
grant launchpad_reader to launchpad;
create database launchpad owner launchpad encoding 'UTF8' template template0;
revoke all on database launchpad from public;
grant connect on database launchpad to launchpad_api, launchpad_reader, launchpad_sql;
alter role launchpad_api set default_transaction_read_only = on;
alter role launchpad_api set idle_in_transaction_session_timeout = '60s';
alter role launchpad_api set temp_file_limit = '1GB';
alter role launchpad_reader set default_transaction_read_only = on;
alter role launchpad_reader set idle_in_transaction_session_timeout = '60s';
alter role launchpad_reader set statement_timeout = '60s';
alter role launchpad_reader set work_mem = '16MB';
alter role launchpad_reader set temp_file_limit = '1GB';
alter role launchpad_reader set log_min_messages = 'log';
alter role launchpad_sql set default_transaction_read_only = on;
alter role launchpad_sql set temp_file_limit = '1GB';
alter role launchpad_sql set log_min_messages = 'log';
SQL
