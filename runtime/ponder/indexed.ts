import pg from "pg";

/** Whether anything has ever been indexed into the schema. Throws the driver's error. */
export async function isIndexed(databaseUrl: string, schema: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass($1) is not null as exists", [
      `${schema}._ponder_checkpoint`,
    ]);
    return rows[0].exists;
  } finally {
    await client.end();
  }
}
