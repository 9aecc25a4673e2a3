import { type Environment, generalVariables } from "../../config/env.ts";
import { onConnection } from "../../offchain/connection.ts";
import { readLiveSchemas } from "../../offchain/live-schema.ts";
import { StartError } from "../start-error.ts";
import type { Predecessor } from "./predecessor.ts";

type Settings = Pick<Environment, "databaseSchema" | "isSchemaSet">;

export type SchemaChoice = { url: string; settings: Settings; log: (line: string) => void };

/** Chooses the schema to start on: DATABASE_SCHEMA if set, with a warning if it isn't the live one; otherwise the live one. */
export async function chooseSchema({ url, settings, log }: SchemaChoice): Promise<string> {
  const [live] = await onConnection(url, readLiveSchemas);
  const { databaseSchema, isSchemaSet } = settings;
  if (live === undefined) return databaseSchema;
  if (!isSchemaSet || live.schema === databaseSchema) return live.schema;
  log(
    `warning: DATABASE_SCHEMA is ${databaseSchema}, and the live schema is ${live.schema} (since ${live.since.toISOString()}): take DATABASE_SCHEMA out of the settings to use that, or see npm run schemas`,
  );
  return databaseSchema;
}

/**
 * Chooses the schema to upgrade to: the requested one, or DATABASE_SCHEMA if it isn't the running one, or the next name that
 * has never been live, so that an interrupted upgrade resumes in its schema. Throws a StartError if the running one is requested.
 */
export async function chooseNextSchema(
  { url, settings }: Omit<SchemaChoice, "log">,
  { schema: running, to }: Pick<Predecessor, "schema" | "to">,
): Promise<string> {
  if (to === running) {
    throw new StartError(
      "failed",
      `the running version already uses the schema ${running}: choose another one`,
    );
  }
  const name = generalVariables.shape.DATABASE_SCHEMA.safeParse(to);
  if (!name.success) throw new StartError("failed", `--to is wrong: it ${name.error.issues[0]?.message}`);
  if (to !== undefined) return to;
  if (settings.isSchemaSet && settings.databaseSchema !== running) return settings.databaseSchema;
  const known = new Set((await onConnection(url, readLiveSchemas)).map(({ schema }) => schema));
  known.add(running);
  const stem = running.replace(/_\d+$/, "");
  for (let number = 2; ; number++) if (!known.has(`${stem}_${number}`)) return `${stem}_${number}`;
}
