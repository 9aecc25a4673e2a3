import pg from "pg";

// A lost connection is reported by the query that was running. Its close and rollback then fail too, and need no report.
const reportedByQuery = () => {};

/** Runs `work` on a new connection. Throws the driver's error. */
export async function onConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 30_000 });
  client.on("error", reportedByQuery);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(reportedByQuery);
  }
}

/** Runs `work` in a transaction, each statement of which sees what was committed before it. */
export async function inTransaction<Result>(
  client: Pick<pg.ClientBase, "query">,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query("begin isolation level read committed");
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(reportedByQuery);
    throw error;
  }
}

/** Runs `work` on a connection of the pool that sees one state of the database, and can't write. */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    return await work(client);
  } finally {
    await client.query("rollback").catch(reportedByQuery);
    client.release();
  }
}
