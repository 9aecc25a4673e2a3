import pg from "pg";
import { ignore, waitUntil } from "../../config/async.ts";
import { onConnection } from "../../offchain/connection.ts";
import { migrate } from "../../runtime/checks/database.ts";
import { now } from "./process.ts";

/**
 * Creates an empty database on the server, in place of one of the same name, and runs the off-chain migrations. Resolves to its URL.
 */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `drop database if exists ${name} with (force)`);
  await query(serverUrl, `create database ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` });
  await migrate(url.href, { log: console.log });
  return url.href;
}

/** Vacuums and checkpoints now, so that Postgres doesn't do it in the background of the next measurement. */
export async function settle(url: string): Promise<void> {
  await query(url, "vacuum analyze");
  await query(url, "checkpoint");
}

/** Runs a statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return await onConnection(url, async (client) => (await client.query<Row>(statement, values)).rows);
}

/** Records when Ponder's blocks become visible to other sessions, by the notification that it sends with each block. */
export async function watchCommits(databaseUrl: string, schema: string) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "bench_commits" });
  const committedAt = new Map<number, number>();
  let noted: Promise<void> = Promise.resolve();
  await client.connect();
  // At the end of a benchmark, the server may be gone first.
  client.on("error", ignore);
  client.on("notification", () => {
    const heardAt = now();
    noted = noted.then(() => note(heardAt));
  });

  async function note(heardAt: number): Promise<void> {
    // Blocks are far enough apart for the notified block to be still the last one.
    const { rows } = await client.query<{ block: string }>(
      `select substr(latest_checkpoint, 27, 16) as block from ${schema}._ponder_checkpoint`,
    );
    const block = Number(rows[0]?.block);
    if (!committedAt.has(block)) committedAt.set(block, heardAt);
  }

  await client.query(`listen "${schema}_live_query"`);
  return {
    /** By block, the Unix time in milliseconds at which another process was notified that it is in Ponder's tables. */
    committedAt,
    /** The delays of blocks since these times. A block without a notification was committed with the next one that has one. */
    delaysOf(blocks: { block: number; at: number }[]): number[] {
      const commits = [...committedAt].toSorted(([one], [other]) => one - other);
      return blocks.flatMap(({ block, at }) => {
        const commit = commits.find(([committed]) => committed >= block);
        return commit === undefined ? [] : [commit[1] - at];
      });
    },
    /** Waits for a block, or for this long at most. */
    async untilCommitted(block: number, maxWaitMs: number): Promise<void> {
      await waitUntil(() => Math.max(0, ...committedAt.keys()) >= block, { forMs: maxWaitMs });
    },
    async stop(): Promise<void> {
      client.removeAllListeners("notification");
      await noted;
      await client.end();
    },
  };
}
