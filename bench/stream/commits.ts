import pg from "pg";

export type CommitWatch = {
  /** By block, when another process heard that it is in Ponder's tables, in milliseconds since 1970. */
  committedAt: Map<number, number>;
  stop(): Promise<void>;
};

/** Records when Ponder's blocks become readable to others, from the notification that it sends with each. */
export async function watchCommits(databaseUrl: string, schema: string): Promise<CommitWatch> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "bench_commits" });
  const committedAt = new Map<number, number>();
  await client.connect();
  client.on("notification", async () => {
    const heardAt = performance.timeOrigin + performance.now();
    // Blocks come so far apart that the one that it was about is still the last.
    const { rows } = await client.query<{ block: string }>(
      `select substr(latest_checkpoint, 27, 16) as block from ${schema}._ponder_checkpoint`,
    );
    const block = Number(rows[0]?.block);
    if (!committedAt.has(block)) committedAt.set(block, heardAt);
  });
  await client.query(`listen "${schema}_live_query"`);
  return { committedAt, stop: () => client.end() };
}
