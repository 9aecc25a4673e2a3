import { type Environment, EnvironmentError, readEnvironment } from "../config/env.ts";
import { findMisspelled, findRemoved } from "../config/misspelled.ts";
import { childEnvironment, loadSettingsFile, readSecretFiles } from "../config/process-environment.ts";
import { addRedactor, configureLog, type Log, settingsRedactor } from "./log/log.ts";
import { StartError } from "./start-error.ts";

/**
 * Reads the settings from the environment and `.env.local`; the environment takes precedence. Logs a line for each variable
 * whose name looks misspelled or was removed in an earlier release, and for what the file seems to set otherwise than it was meant.
 * From then on the log has the configured form, and none of the secrets in the settings.
 * Throws a StartError after logging a line for each variable that is wrong or missing.
 */
export function readSettings(log: Log): Environment {
  const mistakes = loadSettingsFile();
  const variables = childEnvironment({});
  configureLog(variables);
  for (const line of [...mistakes, ...findMisspelled(variables), ...findRemoved(variables)])
    log(line, "warn");
  try {
    const problems = readSecretFiles();
    if (problems.length > 0) throw new EnvironmentError(problems);
    const settings = readEnvironment();
    const { databaseUrl, databaseReadUrl, databaseSqlUrl } = settings;
    addRedactor(settingsRedactor(settings, databaseUrl, databaseReadUrl, databaseSqlUrl));
    return settings;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    for (const problem of error.problems) log(problem, "error");
    throw new StartError(
      "not started: correct the above in the environment or in .env.local (.env.example lists everything)",
    );
  }
}
