import { readFileSync } from "node:fs";
import { chainIds } from "./chain-ids.ts";
import type { Variables } from "./values.ts";

/** Variables that may hold a password or a key. */
const secrets = [
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "DATABASE_SQL_URL",
  "PINATA_JWT",
  "KUBO_RPC_URL",
  "KUBO_RPC_TOKEN",
  "IMAGES_S3_ACCESS_KEY_ID",
  "IMAGES_S3_SECRET_ACCESS_KEY",
  "ALERTS_KEY",
  ...chainIds.flatMap((id) => [`PONDER_RPC_URL_${id}`, `HISTORY_SOURCE_${id}`]),
];

/** The variables that name a secret's file, as container engines mount it. */
export const secretFileVariables = secrets.map((name) => `${name}_FILE`);

/**
 * Replaces each variable that names a secret's file by the secret. Returns a line for each one that can't be used. Neither a secret nor
 * a file's name is repeated, since somebody may have set the secret itself.
 */
export function readSecretFiles(variables: Variables): string[] {
  const problems: string[] = [];
  for (const [index, name] of secrets.entries()) {
    const fileVariable = secretFileVariables[index] ?? "";
    const file = variables[fileVariable];
    if (!file) continue;
    const secret = variables[name] ? undefined : readSecret(file);
    if (secret === undefined) {
      problems.push(`${name} and ${fileVariable} are both set: take out one of them`);
    } else if (typeof secret !== "string") {
      problems.push(`${fileVariable} is wrong: the file that it names ${secret.problem}`);
    } else {
      variables[name] = secret;
    }
    // Empty, not unset: otherwise a child process would read it from .env.local.
    variables[fileVariable] = "";
  }
  return problems;
}

function readSecret(file: string): string | { problem: string } {
  try {
    // Most tools end a file with a line break.
    const text = readFileSync(file, "utf8").trim();
    if (text === "") return { problem: "is empty" };
    return /[\r\n]/.test(text) ? { problem: "has more than one line" } : text;
  } catch (error) {
    return { problem: `can't be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
