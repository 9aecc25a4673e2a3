import { onConnection } from "../../offchain/connection.ts";
import { statement } from "../../offchain/statement.ts";

/**
 * The version of what shapes rows outside `src/`: how chain-access reads and prepares blocks, and how runtime/ponder writes rows.
 * Ponder refuses a schema that other handlers, contracts or tables have filled, but doesn't notice changes here. Raise it with
 * each one after which some row would be another.
 */
export const rowsVersion = 1;

/**
 * Returns what to tell the operator of a schema that another version of the code filled, or undefined. Throws the driver's
 * error.
 */
export async function rowsWarning(databaseUrl: string, schema: string): Promise<string | undefined> {
  return await onConnection(databaseUrl, async (client) => {
    const { rows } = await client.query("select to_regclass($1) is not null as exists", [
      `${schema}._ponder_meta`,
    ]);
    if (!rows[0].exists) return undefined;
    const { rows: found } = await client.query<{ version: number | null }>(
      statement`select (value ->> 'rows_version')::int as version from ${schema}._ponder_meta where key = 'app'`,
    );
    if (found[0] === undefined || found[0].version === rowsVersion) return undefined;
    return `The schema ${schema} was filled by a version that may have written other rows than this one: npm run verify compares it with the chain, and npm run upgrade, or a new DATABASE_SCHEMA, indexes again.`;
  });
}
