CREATE TABLE "offchain"."reader_login" (
	"role" text PRIMARY KEY NOT NULL,
	"password" text NOT NULL
);
--> statement-breakpoint
-- Roles belong to the whole server: another deployment on it, or its administrator, may have made this one, which is then left
-- as it is. Whoever makes it makes its password. An owner that may not create roles goes on without; the start says so.
DO $$
DECLARE
	"secret" text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
	"setting" text;
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'launchpad_reader') THEN
		RETURN;
	END IF;
	EXECUTE format('CREATE ROLE launchpad_reader LOGIN CONNECTION LIMIT 30 PASSWORD %L', "secret");
	INSERT INTO "offchain"."reader_login" VALUES ('launchpad_reader', "secret");
	FOREACH "setting" IN ARRAY ARRAY[
		'default_transaction_read_only = on',
		'statement_timeout = ''60s''',
		'idle_in_transaction_session_timeout = ''60s''',
		'work_mem = ''16MB''',
		-- Only a superuser may set this one.
		'temp_file_limit = ''1GB'''
	] LOOP
		BEGIN
			EXECUTE 'ALTER ROLE launchpad_reader SET ' || "setting";
		EXCEPTION WHEN insufficient_privilege THEN
			NULL;
		END;
	END LOOP;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
	NULL;
END
$$;
