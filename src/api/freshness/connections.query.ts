import { sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";

type Connections = { used: number; most: number };

/** Reads how many connections the server has, of all its databases, and how many it accepts from roles that are no superuser. */
export async function readConnections(db: Database): Promise<Connections | undefined> {
  const [row] = await queryRows<Connections>(
    db,
    sql`select sum(numbackends)::int as used,
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int as most
        from pg_stat_database`,
  );
  return row;
}
