import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { codeOf } from "./error-code.ts";
import { readSecretFiles } from "./secret-files.ts";
import type { Variables } from "./values.ts";

/* This process's variables, for processes that it starts, and what our own processes tell each other through them. Settings are in env.ts. */

/**
 * Adds what `.env.local` in the project's folder sets, if there is one; what this process has already takes precedence. Returns a line
 * for each variable that the file sets twice.
 */
export function loadSettingsFile(file = fileURLToPath(new URL("../.env.local", import.meta.url))): string[] {
  let text: string;
  try {
    // Some editors begin a file with a byte order mark, which would become a part of the first name.
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  return findRepeated(text);
}

function findRepeated(text: string): string[] {
  const lines = new Map<string, number[]>();
  // As parseEnv reads it, a value in quotes may span lines: what looks like a variable within it is none.
  const variables = /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)?/gm;
  for (const { 1: name = "", index } of text.matchAll(variables)) {
    const line = text.slice(0, index).split("\n").length;
    lines.set(name, [...(lines.get(name) ?? []), line]);
  }
  return [...lines]
    .filter(([, numbers]) => numbers.length > 1)
    .map(
      ([name, numbers]) =>
        `.env.local sets ${name} more than once, in the lines ${numbers.join(", ")}: the last one counts. Take out the others`,
    );
}

/** The environment of a child process of the service: ours, with some variables set and others (undefined) removed. */
export function childEnvironment(changes: Variables): Variables {
  return { ...process.env, ...changes };
}

/** The environment of a program that must not see ours, which contains secrets. */
export function bareEnvironment(variables: Variables): Variables {
  return { PATH: process.env.PATH, ...variables };
}

/** Replaces the variables of this process that name a secret's file. Returns a line for each one that can't be used. */
export function readOwnSecretFiles(): string[] {
  return readSecretFiles(process.env);
}

/** Outside production, packages run extra checks: graphql-js does for each value of each response. */
export function defaultToProduction(): void {
  process.env.NODE_ENV ??= "production";
}

/** Tells the service that it is the local stack, and where its chain is. Internal: not a user setting. */
export const localRpcVariable = "LAUNCHPAD_LOCAL_RPC_URL";

/** Returns the URL of the local chain's node, which signs for everyone; undefined if this is not the local stack. */
export const localRpcUrl = (): string | undefined => process.env[localRpcVariable];
