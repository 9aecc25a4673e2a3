import type { TestDatabase } from "./database.ts";

/**
 * Makes new sessions of a database confirm commits that are not on disk yet, unless they ask for more. The returned function reads what
 * writes of a table had asked for.
 */
export async function makeLax(database: TestDatabase, table: string) {
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`alter database ${name} set synchronous_commit = off`);
  await database.query(`
    create table seen (setting text);
    create function see() returns trigger language plpgsql as
      $$ begin insert into seen values (current_setting('synchronous_commit')); return new; end $$;
    create trigger see after insert or update on ${table} for each row execute function see()`);
  return async () =>
    (await database.query<{ setting: string }>("select * from seen")).map(({ setting }) => setting);
}
