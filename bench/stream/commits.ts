import pg from "pg";

export type CommitWatch = {
  /** By block, the Unix time in milliseconds at which another process was notified that it is in Ponder's tables. */
  committedAt: Map<number, number>;
  stop(): Promise<void>;
};

/** Records when Ponder's blocks become visible to other sessions, by the notification that it sends with each block. */
export async function watchCommits(databaseUrl: string, schema: string): Promise<CommitWatch> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "bench_commits" });
  const committedAt = new Map<number, number>();
  await client.connect();
  client.on("notification", async () => {
    const heardAt = performance.timeOrigin + performance.now();
    // Blocks are far enough apart for the notified block to be still the last one.
    const { rows } = await client.query<{ block: string }>(
      `select substr(latest_checkpoint, 27, 16) as block from ${schema}._ponder_checkpoint`,
    );
    const block = Number(rows[0]?.block);
    if (!committedAt.has(block)) committedAt.set(block, heardAt);
  });
  await client.query(`listen "${schema}_live_query"`);
  return { committedAt, stop: () => client.end() };
}
