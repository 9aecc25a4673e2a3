// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are Ponder's code.
import type { Edit } from "./edit.ts";

const multichain = "ponder/dist/esm/runtime/multichain.js";

/**
 * Locks all tables before a reorg drops their triggers. If one isn't free within 100 ms, releases those it has and tries again, so a
 * reader who waits for them can finish. After 80 attempts, ends the sessions of people who read these tables, since they may keep a
 * transaction open for ever; after 100, goes on without the locks. Dropping alone takes one lock after the other,
 * and keeps them: with a reader who had the next table and waited for this one, that was a deadlock. Postgres ended it after a second,
 * but Ponder repeated the statement within the same transaction, which ran into it again, for 74 seconds.
 */
const lockAll = `
  DO $$
  DECLARE timeout text := current_setting('lock_timeout');
  BEGIN
    FOR attempt IN 1..100 LOOP
      BEGIN
        PERFORM set_config('lock_timeout', '100ms', true);
        LOCK TABLE \${locked} IN ACCESS EXCLUSIVE MODE;
        PERFORM set_config('lock_timeout', timeout, true);
        RETURN;
      EXCEPTION WHEN lock_not_available THEN
        PERFORM pg_sleep(0.01 + random() / 50);
      END;
      IF attempt = 80 THEN
        BEGIN
          PERFORM pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE relation = ANY (string_to_array('\${locked}', ', ')::regclass[]) AND usename = 'launchpad_reader'
            AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database());
        EXCEPTION WHEN insufficient_privilege THEN
          NULL;
        END;
      END IF;
    END LOOP;
  END $$`;

/** Keeps a reorg from deadlocks with readers. */
export const reorgLocks: Edit[] = [
  {
    file: multichain,
    from: "await dropTriggers(tx, { tables }, context);",
    to: `const locked = [...tables.map(getTableName), "_ponder_checkpoint"]
                        .map((name) => \`"\${namespaceBuild.schema}"."\${name}"\`).join(", ");
                    await tx.wrap({ label: "lock_tables" }, (tx) => tx.execute(\`${lockAll}\`), context);
                    await dropTriggers(tx, { tables }, context);`,
  },
];
