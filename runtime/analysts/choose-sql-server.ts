import { readerUrlOnPrimary } from "../../config/reader-url.ts";
import { onConnection } from "../../offchain/connection.ts";
import { readWalPosition } from "../../offchain/wal-position.ts";

export type SqlServerOptions = {
  /** The setting SQL; undefined: only where reads go to a replica. */
  isSqlOn: boolean | undefined;
  /** Connects as the role that the service reads with, if there is one. */
  readUrl: string | undefined;
};

/**
 * Decides whether `npm start` and `npm run serve` run clients' SQL. Without the setting they do so only on a replica, where a
 * statement can't slow down what indexes.
 */
export async function servesSql({ isSqlOn, readUrl }: SqlServerOptions): Promise<boolean> {
  return isSqlOn ?? (await isReplica(readUrl));
}

/**
 * The connection string for clients' SQL: the login of `sqlUrl`, on the replica of `readUrl` if that is one. `sqlUrl` may lead to
 * another replica.
 */
export async function sqlServerUrl(
  sqlUrl: string | undefined,
  readUrl: string | undefined,
): Promise<string | undefined> {
  if (sqlUrl === undefined || readUrl === undefined) return sqlUrl;
  if (!(await isReplica(readUrl)) || (await isReplica(sqlUrl).catch(leftAsItIs))) return sqlUrl;
  return readerUrlOnPrimary(readUrl, sqlUrl);
}

/** A login that fails is reported, with the reason, when it is checked. */
const leftAsItIs = () => true;

async function isReplica(url: string | undefined): Promise<boolean> {
  return url !== undefined && (await onConnection(url, readWalPosition)).isReplica;
}
