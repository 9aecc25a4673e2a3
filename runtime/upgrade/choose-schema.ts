import { schemaNameProblem } from "../../config/database.ts";
import type { Environment } from "../../config/env.ts";
import { onConnection } from "../../offchain/connection.ts";
import { readLiveSchemas } from "../../offchain/live-schema.ts";
import { nextSchemaName } from "../ponder/indexed-schemas.ts";
import { StartError } from "../start-error.ts";
import type { Predecessor } from "./predecessor.ts";
import { readStaleSchemas } from "./repair.ts";

type Settings = Pick<Environment, "databaseSchema" | "isSchemaSet">;

export type SchemaChoice = { url: string; settings: Settings; log: (line: string) => void };

/**
 * Chooses the schema to start on: DATABASE_SCHEMA if set, with a warning if it isn't the live one; otherwise the live one. It is the
 * live one, too, if the other has been repaired in a new schema.
 */
export async function chooseSchema({ url, settings, log }: SchemaChoice): Promise<string> {
  const [[live], stale] = await readSchemas(url);
  const { databaseSchema, isSchemaSet } = settings;
  if (live === undefined) return databaseSchema;
  if (!isSchemaSet || live.schema === databaseSchema) return live.schema;
  if (stale.has(databaseSchema)) {
    log(
      `warning: DATABASE_SCHEMA is ${databaseSchema}, which has been repaired in another one: the live schema ${live.schema} is used. Take DATABASE_SCHEMA out of the settings`,
    );
    return live.schema;
  }
  log(
    `warning: DATABASE_SCHEMA is ${databaseSchema}, and the live schema is ${live.schema} (since ${live.since.toISOString()}), which alone is repaired: take DATABASE_SCHEMA out of the settings to use that, or make the other one live once it is ready (npm run schemas -- live ${databaseSchema})`,
  );
  return databaseSchema;
}

/** Reads the history of live schemas, and the schemas that must not be used any more. */
const readSchemas = (url: string) =>
  onConnection(
    url,
    async (client) => [await readLiveSchemas(client), await readStaleSchemas(client)] as const,
  );

/**
 * Chooses the schema to upgrade to: the requested one, or DATABASE_SCHEMA if it isn't the running one, or the next name that
 * has never been live, so that an interrupted upgrade resumes in its schema. Throws a StartError if the running one is requested.
 */
export async function chooseNextSchema(
  { url, settings }: Omit<SchemaChoice, "log">,
  { schema: running, to }: Pick<Predecessor, "schema" | "to">,
): Promise<string> {
  if (to === running) {
    throw new StartError(`the running version already uses the schema ${running}: choose another one`);
  }
  const problem = to === undefined ? undefined : schemaNameProblem(to);
  if (problem !== undefined) throw new StartError(`--to is wrong: it ${problem}`);
  const [live, stale] = await readSchemas(url);
  if (to !== undefined && stale.has(to)) {
    throw new StartError(`the schema ${to} has been repaired in another one: choose another name`);
  }
  if (to !== undefined) return to;
  const { databaseSchema, isSchemaSet } = settings;
  if (isSchemaSet && databaseSchema !== running && !stale.has(databaseSchema)) return databaseSchema;
  return nextSchemaName(running, new Set([running, ...live.map(({ schema }) => schema), ...stale]));
}
