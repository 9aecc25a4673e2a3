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

/** Creates a function that removes the secrets in the settings from a log line. */
export function settingsRedactor(
  { chains, images: { pinata, kubo, s3 } }: Pick<Environment, "chains" | "images">,
  ...databaseUrls: (string | undefined)[]
): (line: string) => string {
  const urls = [...chains.flatMap(({ rpcUrls }) => rpcUrls), ...databaseUrls, kubo?.url];
  return redactor(
    urls.filter((url) => url !== undefined),
    [pinata?.jwt, kubo?.token, s3?.accessKeyId, s3?.secretAccessKey].filter((token) => token !== undefined),
  );
}

/**
 * Creates a function that removes secrets from a log line: tokens, and the user names, passwords, and keys in the paths and
 * queries of URLs. Hosts stay, to show which endpoint a line is about.
 */
export function redactor(urls: string[], tokens: string[] = []): (line: string) => string {
  const secrets = [...urls.flatMap(secretsOf), ...tokens].sort((left, right) => right.length - left.length);
  return (line) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "/…"), line);
}

function secretsOf(text: string): string[] {
  const url = new URL(text);
  // The path of a database's URL is its name, a word that other lines have too.
  const pathname = url.protocol.startsWith("postgres") ? "" : url.pathname;
  const wholes = [`${pathname}${url.search}`, url.search, decodeURIComponent(url.password), url.password];
  // An endpoint may quote only the key in an error. A short segment is a version or a word, not a key.
  const parts = [...pathname.split("/"), ...url.searchParams.values()];
  return [
    // A short one ("/", "/v2") is no secret, and would match inside other words.
    ...wholes.filter((secret) => secret.length >= 6),
    ...parts.filter((part) => part.length >= 16),
  ];
}
