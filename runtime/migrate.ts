import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../config/error-code.ts";
import { migrateOffchain } from "../offchain/migrate.ts";
import { adviceOnDatabase, reasonOf, StartError } from "./start-error.ts";

type MigrateOptions = {
  log: (line: string) => void;
  /** Ends the wait for a server that starts, which then rejects with the signal's reason. */
  signal?: AbortSignal;
};

/** The SQLSTATE of a server that starts, or recovers from a crash: it will be there without anyone's help. */
const CANNOT_CONNECT_NOW = "57P03";
const maxWaitMs = 300_000;
const pauseMs = 500;

/** Runs the off-chain migrations, once the server is up if it is starting. Throws a StartError if the database can't be used. */
export async function migrate(databaseUrl: string, { log, signal }: MigrateOptions): Promise<void> {
  const began = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await migrateOffchain(databaseUrl);
    } catch (error) {
      if (codeOf(error) !== CANNOT_CONNECT_NOW || performance.now() - began > maxWaitMs) {
        throw new StartError(
          adviceOnDatabase(error) ??
            `the database ${withoutPassword(databaseUrl)} can't be used (${reasonOf(error)}): check DATABASE_URL, that Postgres runs, and that its user may create schemas`,
          { cause: error },
        );
      }
      if (isFirst) log(`waiting for the database (${reasonOf(error)})`);
      await delay(pauseMs, undefined, { signal });
    }
  }
}

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password) url.password = "…";
  return decodeURI(url.href);
}
