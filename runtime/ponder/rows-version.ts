import type pg from "pg";
import { literal, statement } from "../../offchain/connection.ts";
import { hasTable } from "./indexed-schemas.ts";

type Client = Pick<pg.ClientBase, "query">;

/**
 * The version of what shapes rows outside `src/` and the config: how `chain-access/` reads, prepares and stores logs, and how
 * `runtime/ponder/` writes rows. Ponder's build id doesn't include these files, so it continues an index that an earlier version of
 * them made. Raise this number with each change after which the same chain may give other rows, such as a fix for a lost log.
 */
export const rowsVersion = 1;

/**
 * Returns what to tell the operator about a schema that another version began, or undefined. The version is in Ponder's metadata of
 * the schema, where `open-database.ts` writes and keeps it.
 */
export async function describeOtherRows(client: Client, schema: string): Promise<string | undefined> {
  if (!(await hasTable(client, schema, "_ponder_meta"))) return undefined;
  const { rows } = await client.query<{ version: string | null }>(
    // Ponder drops what `npm run dev` has indexed.
    statement`select value ->> 'rows_version' as version from ${schema}._ponder_meta
      where key = 'app' and value ->> 'is_dev' is distinct from '1'`,
  );
  const [app] = rows;
  if (app === undefined || Number(app.version) === rowsVersion) return undefined;
  return `The index in the schema ${schema} was begun by a version that reads logs or writes rows differently, and is continued. Run npm run verify to compare it with the chain (this line ends once nothing differs), or npm run upgrade to index again.`;
}

/** Records that a schema's rows are what this version would have written, if these are all chains that it has an index of. */
export async function confirmRows(
  client: Client,
  schema: string,
  chainIds: readonly number[],
): Promise<void> {
  await client.query(
    statement`update ${schema}._ponder_meta
      set value = jsonb_set(value, '{rows_version}', ${literal(String(rowsVersion))}) where key = 'app'
        and not exists (select from ${schema}._ponder_checkpoint where chain_id <> all($1))`,
    [chainIds],
  );
}
