import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../config/error-code.ts";
import { freePort, portIsFree } from "../checks/host.ts";

const LOG_LIMIT_BYTES = 10_000_000;
/** Below the ephemeral range, so that the port stays free between runs. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** The file in the data folder with each role's password. `password` is the oldest: the first version had one role only. */
export const PASSWORD_FILES = {
  admin: "admin-password",
  owner: "password",
  api: "api-password",
  reader: "reader-password",
  sql: "sql-password",
};

export type Passwords = Record<keyof typeof PASSWORD_FILES, string>;

/** Reads the passwords in the data folder, and creates those that are missing. Only the folder's owner can read the files. */
export async function readOrCreatePasswords(home: string): Promise<Passwords> {
  const passwords = Object.entries(PASSWORD_FILES).map(
    async ([role, name]) => [role, await readOrCreatePassword(home, name)] as const,
  );
  return Object.fromEntries(await Promise.all(passwords)) as Passwords;
}

async function readOrCreatePassword(home: string, name: string): Promise<string> {
  const existing = await readIfExists(path.join(home, name));
  if (existing) return existing;
  const password = randomBytes(24).toString("base64url");
  await writeAtomically(home, name, password, 0o600);
  return password;
}

/** The port and passwords of the server in this folder; undefined while it is still starting. */
export async function readConnection(
  home: string,
): Promise<
  ({ port: number; owner: string } & Record<"api" | "reader" | "sql", string | undefined>) | undefined
> {
  const { owner: ownerFile, api: apiFile, reader: readerFile, sql: sqlFile } = PASSWORD_FILES;
  const [port, owner, api, reader, sql] = await Promise.all(
    ["port", ownerFile, apiFile, readerFile, sqlFile].map((name) => readIfExists(path.join(home, name))),
  );
  return port && owner ? { port: Number(port), owner, api, reader, sql } : undefined;
}

/** The port of the last start if it is free, so that connection strings stay valid; otherwise another one. */
export async function choosePort(home: string): Promise<number> {
  const last = Number(await readIfExists(path.join(home, "port")));
  if (last > 0 && last < 65_536 && (await portIsFree(last))) return last;
  for (let attempt = 0; attempt < 10; attempt++) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await portIsFree(port)) return port;
  }
  return await freePort();
}

export async function rememberPort(home: string, port: number): Promise<void> {
  await writeAtomically(home, "port", `${port}\n`, 0o644);
}

/** Creates the file for Postgres's log and returns its path. A log of more than 10 MB is first renamed to `postgres.log.1`. */
export async function prepareLog(home: string): Promise<string> {
  const file = path.join(home, "postgres.log");
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const handle = await open(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  await chownToFolderOwner(home, handle);
  await handle.close();
  return file;
}

async function writeAtomically(home: string, name: string, text: string, mode: number): Promise<void> {
  const file = path.join(home, name);
  const half = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(half, "wx", mode);
  await handle.writeFile(text);
  await handle.sync();
  await chownToFolderOwner(home, handle);
  await handle.close();
  await rename(half, file);
}

/** Changes the owner of a file that root created to the folder's owner. */
async function chownToFolderOwner(home: string, file: FileHandle): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(home);
  if (uid !== 0) await file.chown(uid, gid);
}

/** The trimmed text of a file; undefined if there is no such file. */
export async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
