import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import {
  access,
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rmdir,
  stat,
  symlink,
} from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../config/error-code.ts";
import { freePort, portIsFree } from "../checks/host.ts";
import { fileError, StartError } from "../start-error.ts";
import { makePublicFolder } from "./binaries.ts";
import { chooseServerUser, type ServerUser, succeedsAs } from "./server-user.ts";

const LOG_LIMIT_BYTES = 10_000_000;

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

/** The real path of the data folder, and the user that runs Postgres in it; undefined for the user of this process. */
export type DataHome = { home: string; user: ServerUser | undefined };

/** Everyone may enter the folder, but only its owner may list it. */
const PASS_THROUGH = 0o711;

/**
 * Finds or creates the folder for the data. Root's Postgres runs as another user: if that user can't reach the folder (under
 * /root, say), it becomes a link into `sharedDir`, which then has the data. Throws a StartError if the folder can't be used.
 */
export async function prepareDataHome(
  dataDir: string,
  sharedDir: string,
  log: (line: string) => void,
): Promise<DataHome> {
  try {
    return process.getuid?.() === 0
      ? await prepareAsRoot(dataDir, sharedDir, log)
      : await prepareAsUser(dataDir);
  } catch (error) {
    throw fileError(error, dataDir);
  }
}

async function prepareAsUser(dataDir: string): Promise<DataHome> {
  await assertNotDangling(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await access(dataDir, constants.W_OK | constants.X_OK);
  const home = await realpath(dataDir);
  const owner = await readOwnerUid(path.join(home, "cluster"));
  if (owner !== undefined && owner !== process.getuid?.()) {
    throw new StartError(
      `the data in ${dataDir} belongs to another user (uid ${owner}): run as that user or as root, or set DATA_DIR to a folder of your own`,
      { code: "not-writable" },
    );
  }
  return { home, user: undefined };
}

async function prepareAsRoot(
  dataDir: string,
  sharedDir: string,
  log: (line: string) => void,
): Promise<DataHome> {
  const isLink = await assertNotDangling(dataDir);
  const owner = (await readOwnerUid(path.join(dataDir, "cluster"))) || (await readOwnerUid(dataDir));
  const user = await chooseServerUser(owner);

  if ((await readOwnerUid(dataDir)) === undefined) {
    const parent = path.dirname(dataDir);
    await mkdir(parent, { recursive: true });
    if (!(await canEnter(user, parent)))
      return { home: await moveToSharedDir(dataDir, sharedDir, user, log), user };
    await mkdir(dataDir);
    await chmod(dataDir, PASS_THROUGH);
  }
  const home = await realpath(dataDir);
  if (await canEnter(user, home)) return { home, user };
  if (!isLink && (await readdir(dataDir)).length === 0) {
    await rmdir(dataDir);
    return { home: await moveToSharedDir(dataDir, sharedDir, user, log), user };
  }
  throw new StartError(
    `Postgres runs as the user ${user.name}, who cannot enter ${home}: move it or set DATA_DIR to a folder that ${user.name} can enter`,
    { code: "not-reachable" },
  );
}

async function moveToSharedDir(
  dataDir: string,
  sharedDir: string,
  user: ServerUser,
  log: (line: string) => void,
): Promise<string> {
  await makePublicFolder(sharedDir);
  const where = path.join(await realpath(path.dirname(dataDir)), path.basename(dataDir));
  const prefix = `data-${createHash("sha256").update(where).digest("hex").slice(0, 12)}-`;
  const unlinked = (await readdir(sharedDir)).filter((name) => name.startsWith(prefix));
  for (const name of unlinked) {
    log(
      `an earlier database of ${dataDir} is no longer linked from there; if you do not need it, delete ${path.join(sharedDir, name)}`,
    );
  }
  // A new folder every time: deleting the link asks for an empty database, but the old data may still be needed.
  const home = await mkdtemp(path.join(sharedDir, prefix));
  await chmod(home, PASS_THROUGH);
  await symlink(home, dataDir);
  if (!(await canEnter(user, home))) {
    throw new StartError(
      `Postgres runs as the user ${user.name}, who can enter neither ${dataDir} nor ${home}: set DATA_DIR to a folder that ${user.name} can enter`,
      { code: "not-reachable" },
    );
  }
  log(
    `Postgres runs as the user ${user.name}, who cannot enter ${dataDir}: its data is in ${home}, linked from there`,
  );
  return home;
}

/** Returns whether `dataDir` is a link. Throws if it is dangling: starting with an empty database would hide that the data is missing. */
async function assertNotDangling(dataDir: string): Promise<boolean> {
  const isLink = await lstat(dataDir).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  if (!isLink) return false;
  await stat(dataDir).catch(async (error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new StartError(
      `${dataDir} is a link to a folder that is missing: bring the folder back, or delete the link to start with an empty database`,
      { code: "not-reachable" },
    );
  });
  return true;
}

async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  return await succeedsAs(user, "/bin/sh", ["-c", 'cd "$1"', "sh", folder]);
}

async function readOwnerUid(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).uid;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
