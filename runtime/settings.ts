import { existsSync } from "node:fs";
import path from "node:path";
import { loadEnvFile } from "node:process";
import {
  childEnvironment,
  type Environment,
  EnvironmentError,
  readEnvironment,
  readOwnSecretFiles,
} from "../config/env.ts";
import { findMisspelled, findRemoved } from "../config/misspelled.ts";
import { addRedactor, configureLog, type Log } from "./log/log.ts";
import { projectDir } from "./ponder/ponder.ts";
import { settingsRedactor } from "./redact.ts";
import { StartError } from "./start-error.ts";

/**
 * Reads the settings from the environment and `.env.local`; the environment takes precedence. Logs a line for each variable
 * whose name looks misspelled or was removed in an earlier release. From then on the log has the configured form, and none of the
 * secrets in the settings.
 * Throws a StartError after logging a line for each variable that is wrong or missing.
 */
export function readSettings(log: Log): Environment {
  const file = path.join(projectDir, ".env.local");
  if (existsSync(file)) loadEnvFile(file);
  const variables = childEnvironment({});
  configureLog(variables);
  for (const line of [...findMisspelled(variables), ...findRemoved(variables)]) log(line, "warn");
  try {
    readOwnSecretFiles();
    const settings = readEnvironment();
    const { databaseUrl, databaseReadUrl, databaseSqlUrl } = settings;
    addRedactor(settingsRedactor(settings, databaseUrl, databaseReadUrl, databaseSqlUrl));
    return settings;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    for (const problem of error.problems) log(problem, "error");
    throw new StartError(
      "failed",
      "not started: correct the above in the environment or in .env.local (.env.example lists everything)",
    );
  }
}
