import { onConnection } from "../../offchain/connection.ts";

/** Whether anything has ever been indexed into the schema. Throws the driver's error. */
export async function isIndexed(databaseUrl: string, schema: string): Promise<boolean> {
  return await onConnection(databaseUrl, async (client) => {
    const { rows } = await client.query("select to_regclass($1) is not null as exists", [
      `${schema}._ponder_checkpoint`,
    ]);
    return rows[0].exists;
  });
}
