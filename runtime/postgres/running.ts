import { fileError } from "../start-error.ts";
import { databaseUrl, ROLES } from "./database.ts";
import { readConnection } from "./home-files.ts";
import { lockHolder } from "./instance-lock.ts";

/** Connection strings for writing, for reading, and for clients' SQL. */
export type DatabaseUrls = { url: string; readUrl: string | undefined; sqlUrl: string | undefined };

/**
 * The URLs of the embedded Postgres that another process runs in this data folder, or undefined if there is none. Throws a
 * StartError if its passwords can't be read.
 */
export async function findRunningPostgres(dataDir: string): Promise<DatabaseUrls | undefined> {
  if ((await lockHolder(dataDir)) === undefined) return undefined;
  try {
    const found = await readConnection(dataDir);
    // Postgres is still starting.
    if (found === undefined) return undefined;
    const { port, owner, api, reader, sql } = found;
    const urlOf = (role: string, password: string | undefined) =>
      password === undefined ? undefined : databaseUrl(port, role, password);
    return {
      url: databaseUrl(port, ROLES.owner, owner),
      // A server that an earlier version started lacks these roles.
      readUrl: urlOf(ROLES.api, api),
      sqlUrl: urlOf(ROLES.sql, sql) ?? (api === undefined ? undefined : urlOf(ROLES.reader, reader)),
    };
  } catch (error) {
    throw fileError(error, dataDir);
  }
}
