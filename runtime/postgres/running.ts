import { fileError } from "../start-error.ts";
import { databaseUrl, ROLES } from "./database.ts";
import { readConnection } from "./home-files.ts";
import { lockHolder } from "./instance-lock.ts";

/** Where to write, where to read, and where analysts do. */
export type DatabaseUrls = { url: string; readUrl: string | undefined; analystUrl: string | undefined };

/**
 * The URLs of the embedded Postgres that another process runs in this data folder, or undefined where none does. Throws a
 * StartError when its passwords can't be read.
 */
export async function findRunningPostgres(dataDir: string): Promise<DatabaseUrls | undefined> {
  if ((await lockHolder(dataDir)) === undefined) return undefined;
  try {
    const found = await readConnection(dataDir);
    // It is still starting.
    if (found === undefined) return undefined;
    const { port, owner, api, reader } = found;
    const urlOf = (role: string, password: string | undefined) =>
      password === undefined ? undefined : databaseUrl(port, role, password);
    return {
      url: databaseUrl(port, ROLES.owner, owner),
      // A server that an earlier version started lacks these roles.
      readUrl: urlOf(ROLES.api, api),
      analystUrl: api === undefined ? undefined : urlOf(ROLES.reader, reader),
    };
  } catch (error) {
    throw fileError(error, dataDir);
  }
}
