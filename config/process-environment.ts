import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { chainIds } from "./chains.ts";
import { codeOf } from "./error-code.ts";
import type { Variables } from "./values.ts";

/* This process's variables, for processes that it starts, and what our own processes tell each other through them. Settings are in env.ts. */

/** Its message says what is wrong with the file of settings, and what to do. */
export class SettingsFileError extends Error {
  override name = "SettingsFileError";
}

/**
 * Adds what `.env.local` in the project's folder sets, if there is one; what this process has already takes precedence. Returns a line
 * for each variable that the file sets twice, or whose value ends at a # that may belong to it. Throws a SettingsFileError if the file
 * can't be read.
 */
export function loadSettingsFile(file = fileURLToPath(new URL("../.env.local", import.meta.url))): string[] {
  let text: string;
  try {
    // Some editors begin a file with a byte order mark, which would become a part of the first name.
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new SettingsFileError(
      `${file} can't be read (${codeOf(error)}): it must be a file, and this user must be allowed to read it`,
      { cause: error },
    );
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  return findMistakes(text);
}

function findMistakes(text: string): string[] {
  const lines = new Map<string, number[]>();
  const problems: string[] = [];
  // As parseEnv reads it, a value in quotes may span lines: what looks like a variable within it is none.
  const variables =
    /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`|(.*))/gm;
  for (const { 0: setting, 1: name = "", 2: unquoted, index } of text.matchAll(variables)) {
    const line = text.slice(0, index).split("\n").length;
    lines.set(name, [...(lines.get(name) ?? []), line]);
    // A comment after a value usually has a blank in front of it.
    if (unquoted !== undefined && /^[^#]*[^\s#]#/.test(setting)) {
      problems.push(
        `.env.local cuts ${name} off at a # in line ${line}, where a comment begins: put the value in quotes if the # belongs to it`,
      );
    }
  }
  for (const [name, numbers] of lines) {
    if (numbers.length === 1) continue;
    problems.push(
      `.env.local sets ${name} more than once, in the lines ${numbers.join(", ")}: the last one counts. Take out the others`,
    );
  }
  return problems;
}

/** The environment of a child process of the service: ours, with some variables set and others (undefined) removed. */
export function childEnvironment(changes: Variables): Variables {
  return { ...process.env, ...changes };
}

/** The environment of a program that must not see ours, which contains secrets. */
export function bareEnvironment(variables: Variables): Variables {
  return { PATH: process.env.PATH, ...variables };
}

/** Outside production, packages run extra checks: graphql-js does for each value of each response. */
export function defaultToProduction(): void {
  process.env.NODE_ENV ??= "production";
}

/** Tells the service that it is the local stack, and where its chain is. Internal: not a user setting. */
export const localRpcVariable = "LAUNCHPAD_LOCAL_RPC_URL";

/** Returns the URL of the local chain's node, which signs for everyone; undefined if this is not the local stack. */
export const localRpcUrl = (): string | undefined => process.env[localRpcVariable];

/** Tells a child process that its progress is shown on a terminal. Internal: not a user setting. */
export const terminalVariable = "LAUNCHPAD_TERMINAL";

export const isShownOnTerminal = (): boolean => process.env[terminalVariable] === "on";

/* What the processes of an upgrade pass to each other through their environment. Internal: not user settings. */

/** Tells `npm start` which running instance it replaces, as JSON. */
export const predecessorVariable = "LAUNCHPAD_PREDECESSOR";

export const predecessorText = (): string | undefined => process.env[predecessorVariable];

/** Tells Ponder's process to wait for the listening socket that its parent passes on. */
export const waitingVariable = "LAUNCHPAD_WAITS";

export const isWaiting = (): boolean => process.env[waitingVariable] === "on";

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
  "CLICKHOUSE_PASSWORD",
  ...chainIds.flatMap((id) => [`PONDER_RPC_URL_${id}`, `HISTORY_SOURCE_${id}`]),
];

/** The variables that name a secret's file, as container engines mount it. */
export const secretFileVariables = secrets.map((name) => `${name}_FILE`);

/**
 * Replaces each variable (of this process) that names a secret's file by the secret. Returns a line for each one that can't be used.
 * Neither a secret nor a file's name is repeated, since somebody may have set the secret itself.
 */
export function readSecretFiles(variables: Variables = process.env): string[] {
  const problems: string[] = [];
  for (const [index, name] of secrets.entries()) {
    const fileVariable = secretFileVariables[index] ?? "";
    const file = variables[fileVariable]?.trim();
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
