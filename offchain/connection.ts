import pg from "pg";

// The running query reports a lost connection. Closing it and rolling back then fail too, which needs no report.
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

/** Runs `work` in a transaction whose statements each see what was committed before them. */
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

/** Runs `work` on a pooled connection, in a read-only transaction with one snapshot of the database. */
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
