import pg from "pg";

/** A connection that may take its time and its memory, and that need not wait for the disk. */
export async function openSeedConnection(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "bench_seed" });
  await client.connect();
  await client.query(
    `set synchronous_commit = off; set work_mem = '512MB'; set maintenance_work_mem = '1GB';
     set max_parallel_workers_per_gather = 0; set jit = off`,
  );
  return client;
}
